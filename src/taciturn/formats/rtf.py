"""RTF: paragraphs, cells, notes, headers, comments, fields and text boxes are read; what is kept is written anew.

The file is parsed to a tree of groups. A group that begins with a destination nobody needs for the text (properties,
generators, authors, themes, custom XML, embedded objects, pictures) is dropped, as is every optional destination that
is not known here. Tracked deletions and hidden text are dropped, for they join with the text around them. Texts are
written as escaped ASCII, so nothing depends on code pages and no fallback of a letter stays behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from taciturn.formats.base import Content, Context, FormatError, LimitError, Rewrite, Slot
from taciturn.formats.embedded import Shelf

__all__ = ["ERRORS", "read"]

ERRORS: tuple[type[Exception], ...] = (ValueError, LookupError)
"""What decoders raise on damaged files."""

_TOKEN = re.compile(
    rb"\\'(?P<hex>[0-9A-Fa-f]{2})|\\(?P<word>[A-Za-z]{1,40})(?P<number>-?[0-9]{1,10})? ?|\\(?P<symbol>[^A-Za-z])"
    rb"|(?P<group>[{}])|(?P<line>[\r\n]+)|(?P<plain>[^\\{}\r\n]+)",
    re.S,
)
_SHOWN = {
    "tab": "\t", "line": "\n", "lbr": "\n", "emdash": "\u2014", "endash": "\u2013", "bullet": "\u2022",
    "lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d", "emspace": "\u2003",
    "enspace": "\u2002", "qmspace": "\u2005", "softline": "\n",
    "~": "\u00a0", "_": "\u2011", "\\": "\\", "{": "{", "}": "}", "-": "", "|": "", ":": "",
    "zwj": "", "zwnj": "", "zwbo": "", "zwnbo": "", "ltrmark": "", "rtlmark": "",
}  # fmt: skip
"""What control words and symbols show as text."""
_BREAKS = frozenset("par cell nestcell row nestrow page sect column".split())
_APART = {
    "footnote": "note", "annotation": "comment", "shptxt": "text box", "dptxbxtext": "text box", "sv": "shape",
    "header": "header", "headerl": "header", "headerr": "header", "headerf": "header",
    "footer": "footer", "footerl": "footer", "footerr": "footer", "footerf": "footer",
    "ftnsep": "note", "ftnsepc": "note", "ftncn": "note", "aftnsep": "note", "aftnsepc": "note", "aftncn": "note",
    "xe": "index entry", "tc": "table of contents entry", "pntxtb": "label", "pntxta": "label",
}  # fmt: skip
"""Destinations whose text is apart from the paragraph that they stand in."""
_FLAT = frozenset("fldinst sn atrfstart atrfend".split())
"""Destinations that hold one name or code, however it is formatted."""
_SWEPT = _FLAT | frozenset("stylesheet fonttbl colortbl listtable listoverridetable levelnumbers".split())
"""Destinations that are kept and swept: names and codes, which no reader sees as text."""
_DROPPED = {
    **dict.fromkeys("info generator userprops template author operator doccomm title".split(), "properties"),
    **dict.fromkeys("pict nonshppict shppict bliptag picprop".split(), "pictures"),
    **dict.fromkeys("objdata objclass objname objalias objsect objtime".split(), "embedded objects"),
    **dict.fromkeys("atnid atnauthor atntime atnicn atndate revtbl rsidtbl".split(), "authors, dates and revision ids"),
    **dict.fromkeys("fontemb fontfile".split(), "embedded fonts"),
    **dict.fromkeys("themedata colorschememapping datastore xmlnstbl latentstyles private".split(), "custom data"),
    **dict.fromkeys("formfield ffname ffhelptext ffstattext".split(), "form fields"),
    **dict.fromkeys("bkmkstart bkmkend".split(), "bookmarks"),
    "listname": "names of lists",
    "filetbl": "names of other files",
}  # fmt: skip
_OPTIONAL = frozenset(("shpinst", "pn", "cs", "ts", "ds", "shpgrp", "falt", *_APART, *_SWEPT))
"""Optional destinations that are kept."""
_TABLES = {
    "fonttbl": re.compile(r"(?:[^;]{0,31};\s*)*"),
    "stylesheet": re.compile(r"(?:[^;]{0,64};\s*)*"),
    "colortbl": re.compile(r"[;\s]*"),
}
"""What the text of a table looks like: names, each ended by a semicolon; the colours have none."""
_PAGES = {0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258,
          177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850}  # fmt: skip
_ALIAS = {10000: "mac_roman", 1361: "johab", 65001: "utf-8"}
_DEEPEST = 200


@dataclass(slots=True)
class _Group:
    """What stands between braces: tokens and groups."""

    items: list[_Group | _Token] = field(default_factory=list)

    @property
    def destination(self) -> tuple[str, bool]:
        """The word that says what the group is for, and whether readers that do not know it skip the group."""
        tokens = [i for i in self.items[:2] if isinstance(i, _Token)]
        optional = bool(tokens) and tokens[0].symbol == "*"
        word = tokens[1 if optional else 0] if len(tokens) > optional else None
        return (word.word if word else ""), optional


@dataclass(frozen=True, slots=True)
class _Token:
    """A control word with its number, a symbol, or bytes of text."""

    word: str = ""
    number: int | None = None
    symbol: str = ""
    data: bytes = b""


def _holds_paragraphs(group: _Group) -> bool:
    """Does text of the document stand in it? In a table of fonts a brace was lost, and some reader may show it."""
    shown = (*_BREAKS, "fldrslt", *_APART)
    return any(_holds_paragraphs(i) if isinstance(i, _Group) else i.word in shown for i in group.items)


@dataclass(frozen=True, slots=True)
class _Style:
    """What the tokens of a group say about how its text is read."""

    page: str = "cp1252"
    fallback: int = 1
    gone: str = ""  # why its text is not kept: deleted or hidden
    kind: str = "text"


@dataclass(slots=True)
class _Run:
    """A text as it will be written. ``holder`` is -1 for what is swept."""

    text: str
    holder: int = -1


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of an RTF file."""
    reader = _Reader(Shelf(), _code_pages(root := _parse(data, name)))
    reader.group(root, _Style(page=_document_page(data)))
    reader.flush()
    shelf = reader.shelf
    lists = (tuple(sorted(found)) for found in (shelf.dropped, shelf.unread, shelf.noticed))
    return Content("rtf", tuple(shelf.passages), partial(_write, shelf, tuple(reader.out)), *lists)


def _parse(data: bytes, name: str) -> _Group:
    root = _Group()
    stack = [root]
    at = 0
    while at < len(data):
        found = _TOKEN.match(data, at)
        if found is None:
            at += 1
            continue
        at = found.end()
        if found["group"] == b"{":
            stack.append(_Group())
            stack[-2].items.append(stack[-1])
            if len(stack) > _DEEPEST:
                raise LimitError(
                    f"{name!r} has groups more than {_DEEPEST} deep, as no program writes them; save it anew"
                )
        elif found["group"]:
            if len(stack) == 1:
                raise FormatError(f"{name!r} is damaged RTF: a group ends that never began; save it again")
            stack.pop()
            if len(stack) == 1:
                break  # what comes after the file's own group is no text of it
        elif found["word"]:
            word, number = found["word"].decode("ascii"), int(found["number"]) if found["number"] else None
            if word == "bin":
                at += max(number or 0, 0)
            else:
                stack[-1].items.append(_Token(word, number))
        elif found["symbol"]:
            stack[-1].items.append(_Token(symbol=found["symbol"].decode("latin-1")))
        elif found["hex"]:
            stack[-1].items.append(_Token(data=bytes.fromhex(found["hex"].decode("ascii"))))
        elif found["plain"]:
            stack[-1].items.append(_Token(data=found["plain"]))
    if len(stack) > 1 or not root.items or not isinstance(root.items[0], _Group):
        raise FormatError(f"{name!r} is damaged RTF: it ends too early; save it again in its program")
    return root.items[0]


def _codec(page: int) -> str:
    name = _ALIAS.get(page, f"cp{page}")
    try:
        b"".decode(name)
    except LookupError:
        return "cp1252"
    return name


def _document_page(data: bytes) -> str:
    declared = re.search(rb"\\ansicpg([0-9]{1,5})", data[:4096])
    if declared and int(declared[1]):
        return _codec(int(declared[1]))
    head = data[:200]
    return (
        "mac_roman" if b"\\mac" in head else "cp437" if b"\\pc " in head else "cp850" if b"\\pca" in head else "cp1252"
    )


def _code_pages(root: _Group) -> dict[int, str]:
    """The code page of each font of the table."""
    found: dict[int, str] = {}
    for table in (g for g in root.items if isinstance(g, _Group) and g.destination[0] == "fonttbl"):
        number = None
        for token in _tokens(table):
            if token.word == "f":
                number = token.number
            elif token.word == "fcharset" and number is not None and token.number in _PAGES:
                found[number] = _codec(_PAGES[token.number])
    return found


def _tokens(group: _Group) -> Iterator[_Token]:
    for item in group.items:
        if isinstance(item, _Group):
            yield from _tokens(item)
        else:
            yield item


@dataclass(slots=True)
class _Reader:
    """Walks the tree, collects passages, and notes what will be written: source as it is, and runs of text."""

    shelf: Shelf
    pages: dict[int, str]
    out: list[str | _Run] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    place: str = "text"
    holders: int = 0

    def flush(self) -> None:
        self.shelf.add(self.place, self.slots)
        self.slots = []

    def group(self, group: _Group, style: _Style) -> None:
        word, optional = group.destination
        if word == "object":
            for item in group.items:
                if isinstance(item, _Group) and item.destination[0] == "result":
                    self.group(_Group(item.items[1:]), style)
            self.shelf.dropped["embedded objects"] = None
            return
        if word in _DROPPED or (optional and word not in _OPTIONAL):
            self.shelf.dropped[_DROPPED.get(word, "custom data")] = None
            return
        if word == "leveltext":
            self._label(group)
            return
        if word in _FLAT:
            self.out += ("{\\*\\" + word + " ", _Run(self._flat(group, style)), "}")
            return
        outside = self.slots, self.place
        apart = word in _APART and style.kind == "text"
        if word == "sv" and not re.search(r"[^\W\d_]{2}", self._flat(group, style)):
            apart, style = False, replace(style, kind="swept")  # a measure
        if apart:
            self.slots, self.place = [], _APART[word]
        if word in _SWEPT:
            if _holds_paragraphs(group):
                raise FormatError(f"the RTF is damaged: its {word!r} holds paragraphs; save it anew first")
            if word in _TABLES and not _TABLES[word].fullmatch(self._flat(group, style)):
                raise FormatError(f"the RTF is damaged: its {word!r} holds other things than names; save it anew first")
            style = replace(style, kind="swept")
        self.out.append("{")
        self._items(group, style)
        self.out.append("}")
        if apart:
            self.flush()
            self.slots, self.place = outside

    def _flat(self, group: _Group, style: _Style) -> str:
        """All text of a group."""
        inner = _Reader(Shelf(), self.pages)
        inner._items(group, replace(style, kind="swept"))
        return "".join(run.text for run in inner.out if isinstance(run, _Run))

    def _label(self, group: _Group) -> None:
        """The label of a list: numbers and signs are kept; words in it are not, for its length is written with it."""
        data = b"".join(token.data for token in _tokens(group))
        if any(token.word == "u" for token in _tokens(group)) or re.search(rb"[A-Za-z\x80-\xff]{2}", data[1:]):
            self.shelf.dropped["words in labels of lists"] = None
            self.out.append("{\\leveltext\\'00;}")
            return
        number = next((t.number for t in _tokens(group) if t.word == "leveltemplateid"), None)
        template = "" if number is None else f"\\leveltemplateid{number}"
        self.out.append("{\\leveltext" + template + "".join(f"\\'{b:02x}" for b in data[:-1]) + ";}")

    def _items(self, group: _Group, style: _Style) -> None:
        pieces: list[str] = []
        waiting = bytearray()
        skip = 0

        def decoded() -> None:
            if waiting:
                pieces.append(bytes(waiting).decode(style.page, errors="replace"))
                waiting.clear()

        def end_run() -> None:
            decoded()
            text = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")
            pieces.clear()
            if text:
                self._text(text, style)

        for item in group.items:
            if isinstance(item, _Group):
                end_run()
                self.group(item, style)
                skip = 0
            elif item.data:
                cut = min(skip, len(item.data))
                skip -= cut
                waiting += item.data[cut:]
            elif item.word == "u" and item.number is not None:
                decoded()
                pieces.append(chr(item.number & 0xFFFF))
                skip = style.fallback
            elif (shown := _SHOWN.get(item.word or item.symbol)) is not None:
                if skip:
                    skip -= 1
                else:
                    decoded()
                    pieces.append(shown)
            else:
                end_run()
                skip = 0
                style = self._control(item, style)
        end_run()

    def _control(self, token: _Token, style: _Style) -> _Style:
        word, number = token.word, token.number
        if style.kind == "text" and (token.symbol in ("\r", "\n") or word in _BREAKS):
            self.flush()
        if word == "uc":
            return replace(style, fallback=max(number if number is not None else 1, 0))
        if word in ("deleted", "v"):
            why = "tracked deletions" if word == "deleted" else "hidden text"
            return replace(style, gone=why if number != 0 else "")
        if word in ("ansicpg", "ansi", "mac", "pc", "pca", "upr"):
            return style
        self.out.append("\\*" if token.symbol == "*" else "\\par " if token.symbol in ("\r", "\n") else "")
        if word and not word.startswith(("rsid", "revauth", "revdttm", "crauth", "crdate", "insrsid", "charrsid")):
            self.out.append(f"\\{word}{'' if number is None else number} ")
        if word == "rtf":
            self.out.append("\\ansi\\ansicpg1252\\uc1 ")
        if word == "f" and number is not None and style.kind == "text":
            return replace(style, page=self.pages.get(number, style.page))
        return replace(style, gone="") if word == "plain" else style

    def _text(self, text: str, style: _Style) -> None:
        if style.gone:
            self.shelf.dropped[style.gone] = None
        elif style.kind == "swept":
            self.out.append(_Run(text))
        else:
            self.slots.append(Slot(text, self.holders))
            self.out.append(_Run(text, self.holders))
            self.holders += 1


def _escaped(text: str) -> str:
    r"""A text as RTF.

    >>> _escaped("a{b}\u00fc")
    'a\\{b\\}\\u252?'
    """
    return re.sub(r"[^ -~]|[\\{}]", _escape, text)


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    if char in "\\{}":
        return f"\\{char}"
    if char in "\t\n\r":
        return {"\t": "\\tab ", "\n": "\\line ", "\r": ""}[char]
    data = char.encode("utf-16-be", "replace")
    units = (int.from_bytes(data[i : i + 2], "big", signed=True) for i in range(0, len(data), 2))
    return "".join(f"\\u{unit}?" for unit in units)


def _write(shelf: Shelf, out: tuple[str | _Run, ...], rewrite: Rewrite) -> bytes:
    filled = shelf.filled(rewrite)
    made: list[str] = []
    for item in out:
        if isinstance(item, str):
            made.append(item)
        elif item.holder >= 0:
            made.append(_escaped(filled.get(item.holder, item.text)))
        else:
            made.append(_escaped(rewrite.sweeper.clean(item.text, mark="redacted")))
    return "".join(made).encode("ascii")

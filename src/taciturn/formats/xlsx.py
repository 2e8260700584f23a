"""XLSX: cells as they are shown, comments, headers, drop-down lists, drawings and charts are read; hidden sheets too.

Shared strings are put into the cells that show them, so that each cell is edited for itself. A date is read as a date
and not as the number that stands for it. Dropped, with their cells kept as values: formulas that yield text or hold
one, tables, pivot tables and their caches, which repeat cells of long ago; and links to other workbooks, data
connections, extensions, revision logs, authors.
"""

from __future__ import annotations

import copy
import posixpath
import re
from datetime import datetime, timedelta
from functools import partial

from lxml import etree

from taciturn.formats.base import Budget, Context, Slot
from taciturn.formats.embedded import Shelf
from taciturn.formats.office import SHOWN, Rules, local, parse, remove
from taciturn.formats.ooxml import ERRORS, Package, Part, Profile, read_package, relations
from taciturn.formats.sweep import Sweeper

__all__ = ["ERRORS", "read"]

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_FORMULAS = frozenset(("f", "formula", "formula1", "formula2", "definedName", "oddFormula"))
_HEADERS = frozenset("oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter".split())
_CODE = re.compile(r'&(?:"[^"]*"|K[0-9A-Fa-f]{6}|K[0-9+-]{5}|[0-9]{1,3}|[A-Z&])')
_ONE_OF = re.compile(r'"([^"]|"")*"')


def _shown(element: Part) -> str | None:
    """What a value shows: the value of a cell or of a chart, an entry list of a drop-down."""
    name = local(element)
    if name == "v":
        return element.get(SHOWN) or element.text or ""
    if name in ("formula1", "formula2") and element.text and _ONE_OF.fullmatch(element.text):
        return element.text[1:-1].replace('""', '"')
    return None


def _split(element: Part, text: str, holder: int) -> list[Slot] | None:
    """The slots of a page header: "&L" begins its left part, "&12" is a size and "&P" the number of the page."""
    if local(element) not in _HEADERS:
        return None
    slots: list[Slot] = []
    at = 0
    for found in _CODE.finditer(text):
        slots.append(Slot(text[at : found.start()], holder))
        code = found.group()
        slots.append(Slot("&" if code == "&&" else "\n" if code in ("&L", "&C", "&R") else "", holder, code))
        at = found.end()
    return [*slots, Slot(text[at:], holder)]


_RULES = Rules(
    paragraphs=frozenset(("is", "text", "p")),
    apart={},
    stores=frozenset(("t", "text")),
    glue=lambda element: {"br": "\n"}.get(local(element)),
    unread=_FORMULAS | {"v"},
    attributes=frozenset(
        (
            ("cNvPr", "descr"),
            ("cNvPr", "title"),
            ("cNvPr", "name"),
            ("hyperlink", "tooltip"),
            ("hyperlink", "display"),
            ("dataValidation", "prompt"),
            ("dataValidation", "promptTitle"),
            ("dataValidation", "error"),
            ("dataValidation", "errorTitle"),
            ("definedName", "comment"),
            ("textpath", "string"),
        )
    ),
    symbol=_shown,
    split=_split,
)
_DROPPED = (
    (re.compile(r"xl/pivot(?:Tables|Cache)/"), "pivot tables (their cells stay)"),
    (re.compile(r"xl/(?:tables|queryTables)/"), "tables (their cells stay)"),
    (re.compile(r"xl/(?:slicers|slicerCaches|timelines|timelineCaches)/"), "slicers"),
    (re.compile(r"xl/(?:externalLinks/|connections\.xml|xmlMaps\.xml|model/|customData/)"), "links to other data"),
    (re.compile(r"xl/(?:revisions|richData)/|xl/(?:metadata|calcChain)\.xml"), "revision logs and calculation order"),
)
_PRUNED = frozenset(
    "extLst pivotCaches externalReferences absPath revisionPtr fileSharing fileRecoveryPr webPublishing "
    "webPublishItems customWorkbookViews customSheetViews scenarios protectedRanges smartTags smartTagTypes "
    "tableParts rPh phoneticPr cellWatches documentLibrary".split()
)
_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_DATE_CODE = re.compile(r"[dmyhs]", re.I)
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
_SHEET = re.compile(r"xl/(?:worksheets|chartsheets|dialogsheets|macrosheets)/[^/]+\.xml")


def _start(package: Package, shelf: Shelf, context: Context) -> None:
    """Keep what cells refer to: strings, the formats that show dates, names and numbers of sheets."""
    shared = next((p for p in package.xml if posixpath.basename(p) == "sharedStrings.xml"), None)
    strings = list(parse(package.members[shared], shared)) if shared else []
    if shared:
        package.xml.remove(shared)
        package.out.add(shared)
    workbook = parse(package.members["xl/workbook.xml"], "xl/workbook.xml")
    targets = relations(package, "xl/workbook.xml")
    sheets: dict[str, int] = {}
    for number, sheet in enumerate(workbook.iter(f"{{{MAIN}}}sheet"), 1):
        identity = next((str(v) for k, v in sheet.attrib.items() if str(k).endswith("}id")), "")
        sheets[targets.get(identity, "")] = number
        if sheet.get("state", "visible") != "visible":
            shelf.noticed["a hidden sheet is released as well"] = None
    for part in package.xml:
        if _SHEET.fullmatch(part) and b"<f" in package.members[part]:
            shelf.dropped["formulas that yield text"] = None
    package.notes |= {
        "strings": strings,
        "sizes": [len(etree.tostring(s)) for s in strings],
        "limit": context.options.limits.expanded,
        "dates": _date_formats(package),
        "sheets": sheets,
        "names": [str(s.get("name", "")) for s in workbook.iter(f"{{{MAIN}}}sheet")],
        "1904": any(e.get("date1904") in ("1", "true") for e in workbook.iter(f"{{{MAIN}}}workbookPr")),
    }


def _date_formats(package: Package) -> set[int]:
    """The numbers of the cell formats that show a date or a time."""
    if "xl/styles.xml" not in package.members:
        return set()
    styles = parse(package.members["xl/styles.xml"], "xl/styles.xml")
    own = {
        e.get("numFmtId", ""): _DATE_CODE.search(_LITERAL.sub("", e.get("formatCode", ""))) is not None
        for e in styles.iter(f"{{{MAIN}}}numFmt")
    }
    found = set()
    for formats in styles.iter(f"{{{MAIN}}}cellXfs"):
        for number, xf in enumerate(formats):
            identity = xf.get("numFmtId", "0")
            if own.get(identity, identity.isdigit() and int(identity) in _DATES):
                found.add(number)
    return found


def _prepare(package: Package, part: str, root: Part) -> None:
    if _SHEET.fullmatch(part):
        _prepare_sheet(package, root)
    elif re.fullmatch(r"xl/comments[^/]*\.xml|xl/comments/[^/]+\.xml", part):
        for author in root.iter(f"{{{MAIN}}}author"):
            author.text = "Author"
    elif re.match(r"xl/(?:persons|threadedComments)/", part):
        for element in root.iter("{*}*"):
            for name in ("displayName", "userId", "providerId"):
                if name in element.attrib:
                    element.set(name, "Author")
            if "dT" in element.attrib:
                element.set("dT", "2000-01-01T00:00:00.00")


def _prepare_sheet(package: Package, root: Part) -> None:
    strings, dates = package.notes["strings"], package.notes["dates"]
    _drop_formulas(root)
    budget = Budget(package.notes["limit"])
    for cell in root.iter(f"{{{MAIN}}}c"):
        for name in ("cm", "vm", "ph"):
            cell.attrib.pop(name, "")
        value = cell.find(f"{{{MAIN}}}v")
        if value is None:
            continue
        kind, text = cell.get("t", "n"), value.text or ""
        if kind == "s":
            known = text.isdigit() and int(text) < len(strings)
            item = strings[int(text)] if known else None
            budget.spend(package.notes["sizes"][int(text)] if known else 0, package.name)
            remove(value)
            cell.set("t", "inlineStr")
            inline = etree.SubElement(cell, f"{{{MAIN}}}is")
            for child in copy.deepcopy(item) if item is not None else ():
                if local(child) not in ("rPh", "phoneticPr"):
                    inline.append(child)
        elif kind == "n" and cell.get("s", "").isdigit() and int(cell.get("s", "0")) in dates:
            value.set(SHOWN, _as_date(text, is_1904=bool(package.notes["1904"])))


def _as_date(text: str, *, is_1904: bool) -> str:
    """The date that a number stands for, as it is read: Excel counts days, and takes 1900 for a leap year.

    >>> _as_date("30753", is_1904=False), _as_date("30753.5", is_1904=False), _as_date("0.25", is_1904=False)
    ('1984-03-12', '1984-03-12 12:00', '06:00')
    """
    try:
        number = float(text)
        start = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)
        when = start + timedelta(days=number + (1 if not is_1904 and number < 60 else 0))
    except (ValueError, OverflowError):
        return text
    when = (when + timedelta(seconds=30)).replace(second=0, microsecond=0)
    if 0 <= number < 1:
        return f"{when:%H:%M}"
    return f"{when:%Y-%m-%d}" if number == int(number) else f"{when:%Y-%m-%d %H:%M}"


def _drop_formulas(root: Part) -> None:
    """Formulas go, and leave their values, if they yield text, hold one, or refer to tables and other workbooks: what
    they yield could come back when a program calculates anew."""
    formulas = list(root.iter(f"{{{MAIN}}}f"))
    gone = {id(f) for f in formulas if not _is_plain(f)}
    shared = {f.get("si") for f in formulas if id(f) in gone and f.get("t") == "shared" and f.text}
    for formula in formulas:
        if id(formula) in gone or (formula.get("t") == "shared" and formula.get("si") in shared):
            remove(formula)


def _is_plain(formula: Part) -> bool:
    cell = formula.getparent()
    is_number = cell is not None and cell.get("t", "n") in ("n", "b")
    text = formula.text or ""
    return is_number and formula.get("t", "normal") in ("normal", "shared") and not re.search(r'["\[{]', text)


def _finish(package: Package, part: str, root: Part, sweeper: Sweeper) -> None:
    """Formulas, names and formats that tell what was removed or is protected go; sheets get other names."""
    names: list[str] = package.notes["names"]
    told = [n.casefold() for n in names if n and sweeper.hits(n, title=True)]
    for element in list(root.iter("{*}*")):
        name = local(element)
        element.attrib.pop(SHOWN, "")
        if name == "sheet" and part == "xl/workbook.xml":
            if element.get("name", "").casefold() in told:
                element.set("name", _free_name(names, names.index(element.get("name", "")) + 1))
        elif name == "numFmt" and sweeper.hits(element.get("formatCode", "")):
            element.set("formatCode", "General")
        elif name in _FORMULAS and _shown(element) is None:
            text = element.text or ""
            named = sweeper.hits(element.get("name", "")) if name == "definedName" else False
            if named or sweeper.hits(text) or any(t in text.casefold() for t in told):
                if name == "definedName" or (name == "f" and _parent(element) == "c"):
                    remove(element)
                else:
                    element.text = "#REF!"


def _free_name(names: list[str], number: int) -> str:
    made = f"Sheet{number}"
    while made.casefold() in (n.casefold() for n in names):
        made += "x"
    return made


def _parent(element: Part) -> str:
    parent = element.getparent()
    return local(parent) if parent is not None else ""


def _place(package: Package, part: str) -> str:
    sheets: dict[str, int] = package.notes["sheets"]
    if part in sheets:
        return f"sheet {sheets[part]}"
    stem = posixpath.basename(part)
    starts = (("comments", "comment"), ("threadedComment", "comment"), ("chart", "chart"), ("drawing", "drawing"))
    found = next((place for start, place in starts if stem.startswith(start)), None)
    return found or f"part {stem}"


def _order(part: str) -> int:
    folder = part.split("/")[1] if part.count("/") > 1 else ""
    return 0 if folder == "worksheets" else 1 if "omments" in part else 9


read = partial(
    read_package,
    Profile(
        "xlsx",
        _RULES,
        _place,
        _order,
        _DROPPED,
        _PRUNED,
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
        skipped=frozenset("r s t spans ref sqref activeCell topLeftCell pane".split()),
        start=_start,
        prepare=_prepare,
        finish=_finish,
    ),
)
"""The passages of every part, sheets first."""

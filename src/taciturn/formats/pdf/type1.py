"""Type 1 font programs without the letters that are used no more: outlines, names, and subroutines only they called.

The format (Adobe Type 1 Font Format, 1990) is a PostScript program whose second part is encrypted with a fixed key; the
outlines in it are encrypted once more. It is cut as text, because nothing else of it must change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.misc.eexec import decrypt, encrypt
from fontTools.misc.psCharStrings import T1CharString

from taciturn.errors import FormatError

__all__ = ["Type1Error", "cut_type1"]

_FILE_KEY, _OUTLINE_KEY = 55665, 4330
_END = re.compile(rb"(?:0\s*){400,}cleartomark\s*$")
_GLYPH = re.compile(rb"\s*/(\S+)\s+(\d+)\s+(\S+) ")
_SUBROUTINE = re.compile(rb"\s*dup\s+(\d+)\s+(\d+)\s+(\S+) ")
_AFTER = re.compile(rb"\s*(?:noaccess\s+(?:def|put)|[^\s/]+)(?=\s)")
_KEPT_SUBROUTINES = frozenset(range(5))  # flex and hint replacement, called by number from PostScript


class Type1Error(FormatError):
    """A font program that is not laid out as Type 1 programs are."""


@dataclass(slots=True)
class _Entry:
    """A glyph or subroutine: what stands before its bytes, the bytes as encrypted, what stands after them."""

    key: bytes
    head: bytes
    code: bytes
    tail: bytes


def cut_type1(data: bytes, used: Callable[[dict[int, str]], set[str]]) -> tuple[bytes, int, int, int]:
    """The program with the glyphs that are ``used``, which is asked with the font's own encoding; then the lengths of
    its three parts, as PDF wants them."""
    clear, secret, end = _parts(data)
    own = {int(c): n.decode("latin-1") for c, n in re.findall(rb"dup\s+(\d+)\s*/(\S+)\s+put", clear)}
    if b"StandardEncoding def" in clear:
        own = {code: name for code, name in enumerate(StandardEncoding) if name != ".notdef"}
    found = re.search(rb"/lenIV\s+(-?\d+)", secret)
    skipped = int(found[1]) if found else 4
    start = re.search(rb"/CharStrings\s+(\d+)", secret)
    if not start or skipped < 0:
        raise Type1Error("the font has no table of outlines, or none that is encrypted")
    begin = secret.index(b"begin", start.end()) + len(b"begin")
    glyphs, after = _entries(secret, begin, _GLYPH)
    programs = {entry.key.decode("latin-1"): _program(entry.code, skipped) for entry in glyphs}
    wanted = {name for name in used(own) if name in programs} | {".notdef"}
    wanted |= {part for name in wanted if name in programs for part in _accented(programs[name])}
    kept = [entry for entry in glyphs if entry.key.decode("latin-1") in wanted]
    head = secret[: start.start(1)] + str(len(kept)).encode() + secret[start.end(1) : begin]
    head = _without_subroutines(head, [programs[e.key.decode("latin-1")] for e in kept], skipped)
    body = head + b"".join(e.head + e.code + e.tail for e in kept) + secret[after:]
    clear = re.sub(
        rb"dup\s+\d+\s*/(\S+)\s+put[ \t]*\r?\n?", lambda m: m[0] if m[1].decode("latin-1") in wanted else b"", clear
    )
    locked = encrypt(b"\0\0\0\0" + body, _FILE_KEY)[0]
    return clear + locked + end, len(clear), len(locked), len(end)


def _parts(data: bytes) -> tuple[bytes, bytes, bytes]:
    """What is readable, what is encrypted (decrypted), and the zeros at the end."""
    if data[:1] == b"\x80":  # cut into blocks, as files for PCs are
        pieces, at = [], 0
        while data[at : at + 1] == b"\x80" and data[at + 1] in (1, 2):
            length = int.from_bytes(data[at + 2 : at + 6], "little")
            pieces.append(data[at + 6 : at + 6 + length])
            at += 6 + length
        data = b"".join(pieces)
    mark = re.search(rb"currentfile\s+eexec(\r\n|[\r\n ])", data)
    if not mark:
        raise Type1Error("the font has no encrypted part")
    rest = data[mark.end() :]
    end = _END.search(rest)
    locked, tail = (rest[: end.start()], rest[end.start() :]) if end else (rest, b"")
    if re.fullmatch(rb"[0-9A-Fa-f\s]{8}", locked[:8]):
        digits = re.sub(rb"\s", b"", locked)
        locked = bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))
    return data[: mark.end()], decrypt(locked, _FILE_KEY)[0][4:], tail


def _entries(secret: bytes, at: int, pattern: re.Pattern[bytes]) -> tuple[list[_Entry], int]:
    found: list[_Entry] = []
    while match := pattern.match(secret, at):
        begin, end = match.end(), match.end() + int(match[2])
        after = _AFTER.match(secret, end)
        if not after or end > len(secret):
            raise Type1Error("an outline runs over its end")
        found.append(_Entry(match[1], match[0], secret[begin:end], after[0]))
        at = after.end()
    if not found:
        raise Type1Error("the font has no outlines")
    return found, at


def _program(code: bytes, skipped: int) -> list[object]:
    outline = T1CharString(decrypt(code, _OUTLINE_KEY)[0][skipped:])
    outline.decompile()
    return list(outline.program)


def _accented(program: list[object]) -> set[str]:
    """The letter and the accent that an outline is made of, if it is made of two others."""
    if "seac" not in program:
        return set()
    at = program.index("seac")
    return {StandardEncoding[code] for code in program[at - 2 : at] if isinstance(code, int) and 0 <= code < 256}


def _without_subroutines(head: bytes, programs: list[list[object]], skipped: int) -> bytes:
    """The part before the outlines, with those subroutines empty that no outline calls any more."""
    start = re.search(rb"/Subrs\s+\d+\s+array", head)
    if not start:
        return head
    entries, after = _entries(head, start.end(), _SUBROUTINE)
    inside = {int(entry.key): _program(entry.code, skipped) for entry in entries}
    called: set[int] = set(_KEPT_SUBROUTINES)
    stack = [*programs, *(inside[n] for n in called if n in inside)]
    while stack:
        program = stack.pop()
        for at, token in enumerate(program):
            # "7 callsubr"; or "7 1 3 callothersubr pop callsubr", where hints change.
            before = program[at - 1] if token == "callsubr" else program[at - 3] if token == "callothersubr" else None
            if isinstance(before, int) and before in inside and before not in called:
                called.add(before)
                stack.append(inside[before])
    empty = encrypt(b"\0" * skipped + b"\x0b", _OUTLINE_KEY)[0]
    pieces = []
    for entry in entries:
        if int(entry.key) in called:
            pieces.append(entry.head + entry.code + entry.tail)
        else:
            shorter = re.sub(rb"(dup\s+\d+\s+)\d+", rb"\g<1>%d" % len(empty), entry.head)
            pieces.append(shorter + empty + entry.tail)
    return head[: start.end()] + b"".join(pieces) + head[after:]

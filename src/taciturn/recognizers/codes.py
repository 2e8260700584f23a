"""Numbers that somebody issued: checked by their checksum, or announced by a word such as "case no."."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module

from taciturn.language.lexicon import LEXICON, any_word
from taciturn.recognizers.base import Found, Late
from taciturn.recognizers.words import cased

__all__ = ["CONTEXT_WORDS", "at_capital", "at_context", "at_digit", "at_no"]

_END = r"(?![\w])(?![-/]\w)"
# Shape, module of python-stdnum that checks it, kind. A shape of digits only is here if its check is a strong one.
_CHECKED_DIGITS = [
    (r"\d{3}[- ]\d{2}[- ]\d{4}", "us.ssn", "national-id"),
    (r"9\d{2}[- ]\d{2}[- ]\d{4}", "us.itin", "tax-id"),
    (r"\d{2}-\d{7}", "us.ein", "tax-id"),
    (r"\d{3}[- ]\d{3}[- ]\d{4}", "gb.nhs", "national-id"),
    (r"(?:\d{4}[ -]){3}\d{1,7}|3\d{3}[ -]\d{6}[ -]\d{5}|[2-6]\d{12,18}", "luhn", "payment-card"),
    (r"[12] ?\d\d ?\d\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d", "fr.nir", "national-id"),
    (r"\d{8}-?[A-Z]", "es.dni", "national-id"),
    (r"\d{4}\.\d{2}\.\d{3}", "nl.bsn", "national-id"),
    (r"\d{11}", "pl.pesel", "national-id"),
    (r"[1-9]\d{10}", "tr.tckimlik", "national-id"),
    (r"\d{2} \d{3} \d{3} \d{3}", "de.idnr", "tax-id"),
    (r"\d{6} ?\d{5}", "no.fodselsnummer", "national-id"),
    (r"\d{3}\.\d{3}\.\d{3}-\d{2}", "br.cpf", "national-id"),
    (r"\d{4} \d{4} \d{4}", "in_.aadhaar", "national-id"),
    (r"\d{3}[ -]\d{3}[ -]\d{3}", "ca.sin", "national-id"),
    (r"(?:\d{2})?\d{6}[-+]\d{4}", "se.personnummer", "national-id"),
    (r"\d{6}-\d{4}", "dk.cpr", "national-id"),
    (r"\d{6}[-+A]\d{3}[0-9A-Z]", "fi.hetu", "national-id"),
    (r"756\.\d{4}\.\d{4}\.\d{2}", "ch.ssn", "national-id"),
    (r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", "be.nn", "national-id"),
    (r"\d{6}/\d{3,4}", "cz.rc", "national-id"),
    (r"\d{17}[\dX]", "cn.ric", "national-id"),
    (r"\d{13}", "za.idnr", "national-id"),
    (r"\d{6}-[1-8]\d{6}", "kr.rrn", "national-id"),
    (r"\d{7}[A-W][A-IW]?", "ie.pps", "national-id"),
    (r"\d{2}-\d{6}-\d{6}-\d", "imei", "device-id"),
]
_EU = r"(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)"
_CHECKED_CAPITALS = [
    (r"[XYZ]-?\d{7}-?[A-Z]", "es.nie", "national-id"),
    (r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]", "it.codicefiscale", "national-id"),
    (r"[A-Z]{5}\d{4}[A-Z]", "in_.pan", "tax-id"),
    (r"GB[ -]?\d{9}(?:\d{3})?", "gb.vat", "tax-id"),
    (r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", "mx.curp", "national-id"),
    (_EU + r"[ -]?[0-9A-Z]{8,12}", "eu.vat", "tax-id"),
]
_LONG = Late(r"\d(?:[ .\-/]?[\dA-Z]){6}")
_DIGIT_SHAPES = [(Late(rf"(?:{shape}){_END}"), module, kind) for shape, module, kind in _CHECKED_DIGITS]
_CAPITAL_SHAPES = [(Late(rf"(?:{shape}){_END}"), module, kind) for shape, module, kind in _CHECKED_CAPITALS]
_IBAN = Late(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_NINO = Late(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D](?!\w)")
_VIN = Late(r"[A-HJ-NPR-Z0-9]{17}(?!\w)")
_DEA = Late(r"[A-HJ-MPRSTUX][A-Z9]\d{7}(?!\w)")
_BARE_CASE = Late(r"\d{4,6}/\d{2}(?![\w/])(?![.,]\d)")

_VALUE = r"(?=[A-Za-z]{0,6}[-/.]?\d)[A-Z0-9][A-Za-z0-9]{0,20}(?:[-/.:][A-Za-z0-9]{1,16}){0,6}(?![\w])"
_PLATE = r"[A-Z0-9]{1,4}(?:[ -]?[A-Z0-9]{1,5}){1,2}(?![\w/])"
_KIND_OF = {word: kind for kind, words in LEXICON.lists("announced").items() for word in words}
_STRONG = LEXICON.word_set("codes.strong")
(_PLATE_WORD,) = LEXICON.words("codes.plate")
CONTEXT_WORDS = sorted({word.split()[0] for word in _KIND_OF})
"""The first words of all announcements, in small letters: what the scanner looks for."""
_MARK = (
    rf"(?P<mark>(?:\s?(?i:{LEXICON.any_of('codes.between')})(?!\w)\.?){{0,3}}\s?[:=#]{{0,2}}\s{{0,2}}#?\s?)"
    rf"(?P<verb>(?i:{LEXICON.any_of('codes.verb')}\s))?"
)
_ANNOUNCED = Late(
    r"(?P<word>(?i:" + any_word(sorted(_KIND_OF)) + rf"))(?![A-Za-z]){_MARK}"
    rf"(?P<value>[IVX]{{1,5}}\s[A-Z][A-Za-z]{{0,3}}\s{_VALUE}|[A-Z]{{1,4}}\s\d{{1,6}}/\d{{2,4}}(?!\w)|{_VALUE}|{_PLATE})"
)
_MORE = Late(
    rf"(?:,\s|\s{LEXICON.any_of('codes.joining')}\s|,\s{LEXICON.any_of('codes.joining-last')}\s)(?P<value>{_VALUE})"
)
_NO = Late(rf"(?:{any_word(cased(LEXICON.words('codes.no')))}\.?|№|#)\s?(?P<value>{_VALUE})")
_LAW = Late(rf"\b{LEXICON.any_of('codes.law')}\s\(?$")
_SO_LONG = Late(r"\d{6}")  # nobody counts so far: "the account 004512337" needs no "number"
_MORE_DIGITS = Late(r"(?:[ ]\d{2,6}){1,5}(?!\w)")
_MORE_PLATE = Late(r"(?:[ ][A-Z0-9]{1,5}){1,3}(?!\w)")


@lru_cache(maxsize=64)
def _checker(module: str) -> object:
    return import_module(f"stdnum.{module}")


def _is_valid(value: str, module: str) -> bool:
    if module == "luhn":
        value = value.replace(" ", "").replace("-", "")
    return bool(_checker(module).is_valid(value))  # type: ignore[attr-defined]


def at_digit(text: str, at: int, end: int, stop: int) -> Iterable[Found]:
    """Numbers whose checksum or form is enough."""
    if text.startswith("/", stop) and (m := _BARE_CASE.match(text, at, end)):
        return ((at, m.end(), "case-number"), *_long(text, at, end))
    return _long(text, at, end) if _LONG.match(text, at, end) else ()


def _long(text: str, at: int, end: int) -> Iterator[Found]:
    for shape, module, kind in _DIGIT_SHAPES:
        if (m := shape.match(text, at, end)) and len(set(m.group())) > 2 and _is_valid(m.group(), module):
            yield at, m.end(), kind
    yield from _vin(text, at, end)


def at_capital(text: str, at: int, end: int) -> Iterator[Found]:
    """The same, where the number begins with capitals."""
    for shape, module, kind in _CAPITAL_SHAPES:
        if (m := shape.match(text, at, end)) and _is_valid(m.group(), module):
            yield at, m.end(), kind
    if m := _IBAN.match(text, at, end):
        stop = m.end()
        while stop > at + 14 and not _is_valid(text[at:stop], "iban"):
            stop = text.rfind(" ", at, stop)
        if stop > at + 14:
            yield at, stop, "iban"
    if m := _NINO.match(text, at, end):
        yield at, m.end(), "national-id"
    if (m := _DEA.match(text, at, end)) and _is_dea(m.group()):
        yield at, m.end(), "licence-number"
    yield from _vin(text, at, end)


def _vin(text: str, at: int, end: int) -> Iterator[Found]:
    if (m := _VIN.match(text, at, end)) and _is_vin(m.group()):
        yield at, m.end(), "vehicle-id"


_VIN_VALUE = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True)) | {d: d for d in "0123456789"}
_VIN_WEIGHT = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def _is_vin(value: str) -> bool:
    """The check digit of ISO 3779 as North America uses it; letters and digits both occur."""
    if value.isdigit() or value.isalpha():
        return False
    rest = sum(int(_VIN_VALUE[c]) * w for c, w in zip(value, _VIN_WEIGHT, strict=True)) % 11
    return value[8] == ("X" if rest == 10 else str(rest))


def _is_dea(value: str) -> bool:
    d = [int(c) for c in value[2:]]
    return (d[0] + d[2] + d[4] + 2 * (d[1] + d[3] + d[5])) % 10 == d[6]


def at_context(text: str, at: int, end: int) -> Iterator[Found]:
    """Numbers after the word that announces them, and those listed after the first."""
    m = _ANNOUNCED.match(text, at, end)
    if not m:
        return
    word, mark, value = m.group("word").lower(), m.group("mark").strip(), m.group("value")
    kind = "vehicle-id" if _PLATE_WORD in mark.lower() else _KIND_OF[word]
    announced = mark or word in _STRONG or _PLATE_WORD in word or _SO_LONG.search(value)
    digits = sum(map(str.isdigit, value))
    if (
        digits == 0
        or (not announced and not (m.group("verb") and re.search(r"\d{4}", value)))
        or (_PLATE_WORD in word and value.isdigit())
    ):
        return
    stop = m.end("value")
    more = {"vehicle-id": _MORE_PLATE, "national-id": _MORE_DIGITS, "account-number": _MORE_DIGITS}.get(kind)
    if more and (n := more.match(text, stop, end)):
        stop = n.end()
    yield m.start("value"), stop, kind
    yield from _listed(text, stop, end, kind)


def at_no(text: str, at: int, end: int) -> Iterator[Found]:
    """Numbers after a bare "no.": long ones and those with a stroke ("no. 18403/91", not "Protocol No. 11")."""
    m = _NO.match(text, at, end)
    if not m or _LAW.search(text[max(0, at - 16) : at]):
        return
    if _is_long(m.group("value")) and (text[at] != "#" or sum(map(str.isdigit, m.group("value"))) > 3):
        yield m.start("value"), m.end("value"), "case-number"
        yield from _listed(text, m.end("value"), end, "case-number")


def _is_long(value: str) -> bool:
    digits = sum(map(str.isdigit, value))
    return digits > 3 or (digits > 1 and ("/" in value or "-" in value))


def _listed(text: str, at: int, end: int, kind: str) -> Iterator[Found]:
    while (m := _MORE.match(text, at, end)) and (_is_long(m.group("value")) or text.startswith(",", at)):
        yield m.start("value"), m.end("value"), kind
        at = m.end("value")

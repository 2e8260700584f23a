"""E-mail, web and network addresses, handles and telephone numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from taciturn.language.lexicon import LEXICON
from taciturn.recognizers.base import Found, Late

__all__ = ["at_colons", "at_digit", "at_dot", "at_phone", "at_scheme", "at_sign"]

_LOCAL = Late(r"[\w.+%'-]{1,64}$")
_DOMAIN = Late(r"(?:[^\W_](?:[^\W_]|-){0,62}\.){1,8}[A-Za-z]{2,24}(?![\w-])")
_HANDLE = Late(r"@[A-Za-z_]\w{2,29}(?!\w)(?!\.\w)")
_SCHEME = Late(r"(?<![A-Za-z0-9])[a-zA-Z][a-zA-Z0-9+.-]{1,15}$")
_URL_BODY = Late(r"[^\s<>\"“”{}|\\^`]{1,2000}")
_HOST = Late(r"(?<![\w@.-])[A-Za-z0-9][A-Za-z0-9.-]{0,80}$")
_MAC = Late(r"[0-9A-Fa-f]{2}(?P<sign>[:-])(?:[0-9A-Fa-f]{2}(?P=sign)){4}[0-9A-Fa-f]{2}(?![\w:-])")
_IP4 = Late(r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?!\w)(?!\.\d)")
_IP6 = Late(r"[0-9A-Fa-f:]{2,39}(?:(?:\.\d{1,3}){3})?(?:/\d{1,3})?(?![\w:])")
_ADDRESS_BEGINS = Late(r"[0-9A-Fa-f]{1,4}:|\d{1,3}\.\d|[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-")
_NOT_IP = Late(rf"(?i:\b{LEXICON.any_of('contacts.no-address')}\.?\s?)$")
_PHONE = Late(
    r"(?:\+|\()?\d(?:[ \u00a0().\-/]{0,2}\d){6,14}(?!\d)"
    rf"(?:,?\s?{LEXICON.any_of('contacts.extension')}\s?\d{{1,6}}(?!\w))?"
)
_PHONE_GOES_ON = Late(r"[ \u00a0().\-/]{1,2}\d")
_PHONE_WORD = Late(
    rf"(?i:\b(?:{LEXICON.any_of('contacts.phone-prefix')})?{LEXICON.any_of('contacts.phone')}\b[^\d\n]{{0,18}})$"
)
_AMERICAN = Late(r"(?:1[-. ])?(?:\(\d{3}\)\s?|\d{3}[-. ])\d{3}[-. ]\d{4}(?!\d)")
_BRITISH = Late(r"(?:\(0\d{2,5}\)|0\d{2,5})[ -]\d{3,8}(?:[ -]\d{3,6})?(?!\d)")
_FRENCH = Late(r"0[1-9](?:[ .]\d\d){4}(?!\d)")


def at_sign(text: str, at: int, end: int, start: int = 0) -> Iterator[Found]:
    """What stands around an @."""
    local = _LOCAL.search(text[max(start, at - 64) : at])
    domain = _DOMAIN.match(text, at + 1, end)
    if local and domain:
        name = local.group().lstrip(".'-%+")
        if name:
            yield at - len(name), domain.end(), "email"
    elif not local and (m := _HANDLE.match(text, at, end)):
        yield at, m.end(), "handle"


def at_scheme(text: str, at: int, end: int, start: int = 0) -> Iterator[Found]:
    """What stands around ://, or begins with www."""
    if text.startswith("://", at):
        scheme = _SCHEME.search(text[max(start, at - 17) : at])
        body = _URL_BODY.match(text, at + 3, end)
        if scheme and body:
            yield at - len(scheme.group()), _trimmed(text, at, body.end()), "url"
    elif body := _URL_BODY.match(text, at, end):
        stop = _trimmed(text, at, body.end())
        if stop > at + 5:
            yield at, stop, "url"


def at_dot(text: str, at: int, end: int, start: int = 0) -> Iterator[Found]:
    """A host without a scheme, seen by its ending ("example.org/page")."""
    host = _HOST.search(text[max(start, at - 81) : at])
    if not host or (m := _DOMAIN.match(text, at - len(host.group()), end)) is None:
        return
    stop = m.end()
    if text.startswith("/", stop) and (body := _URL_BODY.match(text, stop, end)):
        stop = _trimmed(text, at, body.end())
    yield m.start(), stop, "url"


def _trimmed(text: str, start: int, stop: int) -> int:
    """The end of a URL without the punctuation of the sentence around it."""
    while stop > start and text[stop - 1] in ".,;:!?'’)]*_":
        if text[stop - 1] == ")" and text.count("(", start, stop) >= text.count(")", start, stop):
            break
        stop -= 1
    return stop


def at_colons(text: str, at: int, end: int) -> Iterator[Found]:
    """Network addresses; ``at`` is their first character."""
    if m := _MAC.match(text, at, end):
        yield at, m.end(), "mac-address"
    if (m := _IP4.match(text, at, end)) and _is_address(m.group()) and not _NOT_IP.search(text[max(0, at - 12) : at]):
        yield at, m.end(), "ip-address"
    if (m := _IP6.match(text, at, end)) and m.group().count(":") > 1:
        stop = m.end() - (text[m.end() - 1] == ":" and text[m.end() - 2] != ":")
        if _is_address(text[at:stop]):
            yield at, stop, "ip-address"


def _is_address(value: str) -> bool:
    import ipaddress  # Late: start-up is bounded.

    address, _, bits = value.partition("/")
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return not bits or int(bits) <= parsed.max_prefixlen


def at_digit(text: str, at: int, end: int, stop: int) -> Iterable[Found]:
    """Network addresses and telephone numbers that begin with a digit."""
    if _ADDRESS_BEGINS.match(text, at, end):
        return chain(at_colons(text, at, end), at_phone(text, at, end))
    return at_phone(text, at, end) if stop - at > 6 or _PHONE_GOES_ON.match(text, stop, end) else ()


def at_phone(text: str, at: int, end: int) -> Iterator[Found]:
    """Telephone numbers: with a country code, in a national form that is valid, or after a word such as "tel."."""
    m = _PHONE.match(text, at, end)
    if not m or (at and text[at - 1] in "+/"):
        return
    value = m.group()
    if value[0] == "+":
        if _is_possible(value, None):
            yield at, m.end(), "phone"
    elif _PHONE_WORD.search(text[max(0, at - 32) : at]):
        yield at, m.end(), "phone"
    elif (n := _AMERICAN.match(text, at, end)) and _is_valid(n.group(), "US"):
        yield at, max(n.end(), m.end() if m.group().startswith(n.group()) else 0), "phone"
    elif ((n := _BRITISH.match(text, at, end)) and _is_valid(n.group(), "GB")) or (
        (n := _FRENCH.match(text, at, end)) and _is_valid(n.group(), "FR")
    ):
        yield at, n.end(), "phone"


def _is_possible(value: str, region: str | None) -> bool:
    import phonenumbers  # Late: 50 ms and its tables.

    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(value, region))
    except phonenumbers.NumberParseException:
        return False


def _is_valid(value: str, region: str) -> bool:
    import phonenumbers

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(value, region))
    except phonenumbers.NumberParseException:
        return False

"""What stands between the network and the app: one ASGI layer, the same for the review and for the service.

- Host: an address, ``localhost`` or an allowed name. A page of another name that was made to point here (DNS
  rebinding) sends that name, and is refused.
- Origin: a request that changes something comes from the same origin, or from no browser at all.
- Token: where one is set, a request carries it, as ``Authorization: Bearer`` or as a cookie that only this site sends.
- CSRF: where cookies are used, a request that changes something repeats a second secret in a header.
- Size and time: more than ``largest`` bytes are not read, nor a body that takes longer than ``seconds`` and what its
  size allows; how long a header may take is minded by :mod:`taciturn.review.connections`.
- Headers: strict CSP, no sniffing, no caching, no framing.
- Failures: a fault becomes a plain 500 whose text, like the log's, names its type and nothing of a document.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from html import escape
from http.cookies import CookieError, SimpleCookie
from secrets import token_urlsafe
from time import perf_counter
from typing import Any
from urllib.parse import parse_qs, urlsplit

from taciturn.errors import TaciturnError

__all__ = ["Guard", "Rules", "TooLargeError", "is_loopback"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_LOG = logging.getLogger("taciturn.review")
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS = _READING | {"POST", "PUT", "PATCH", "DELETE"}
_SLOWEST = 2**16  # bytes of a body in a second
_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
)


class TooLargeError(TaciturnError):
    """A request whose body is longer than the limit."""


class _RefusedError(TaciturnError):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Rules:
    """What the guard asks for. ``cookies``: browsers sign in with the token once; else it comes with each request.

    ``seconds`` is how long a body may take, beside a second for each 64 KB of it. ``open`` are the paths that need no
    token. ``tell`` gets route, method, status and seconds of each request; a method that nobody knows is "other".
    """

    token: str | None = None
    cookies: bool = False
    hosts: frozenset[str] = frozenset()
    largest: int = 64 * 2**20
    seconds: float = 30.0
    open: frozenset[str] = frozenset()
    csrf: str = field(default_factory=lambda: token_urlsafe(24))
    secret: str = field(default_factory=lambda: token_urlsafe(24))
    tell: Callable[[str, str, int, float], None] | None = None


def is_loopback(host: str) -> bool:
    """Does an address reach this machine only?

    >>> [is_loopback(h) for h in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """The layer around an ASGI app."""

    def __init__(self, app: App, rules: Rules) -> None:
        self.app = app
        self.rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError("only HTTP is served")
        begin, status = perf_counter(), 500
        started = False
        read = 0
        more = True  # of the body is to come
        as_page = False

        async def answer(message: Message) -> None:
            nonlocal started, status
            if read > self.rules.largest and status != 413:
                raise TooLargeError  # a framework has made another answer of it
            if message["type"] == "http.response.start":
                started, status = True, message["status"]
                present = {name.lower() for name, _ in message.get("headers", ())}
                extra = [(n, v) for n, v in _HEADERS if n not in present]
                message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await send(message)

        async def bounded() -> Message:
            nonlocal read, more
            left = self.rules.seconds + read / _SLOWEST - (perf_counter() - begin)
            async with asyncio.timeout(max(left, 0.0) if more else None):
                message = await receive()
            more = more and message.get("more_body", False)
            read += len(message.get("body", b""))
            if read > self.rules.largest:
                raise TooLargeError
            return message

        try:
            headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
            as_page = "text/html" in headers.get("accept", "") and "hx-request" not in headers
            if self._signs_in(scope, headers):
                await _sign_in(scope, self.rules, answer)
            else:
                self._verify(scope, headers)
                await self.app(scope, bounded, answer)
        except _RefusedError as error:
            await _say(answer, error.status, str(error), as_page)
        except TooLargeError:
            if not started:
                status = 413
                await _say(answer, 413, f"the request is larger than {self.rules.largest:,} bytes")
        except TimeoutError:
            if not started:
                await _say(answer, 408, "the request did not arrive in time; send it again")
        except Exception as error:
            # The message may quote the document; its type and place do not.
            _LOG.error("a request failed: %s at %s", type(error).__name__, _place(error))
            if not started:
                await _say(answer, 500, f"internal error ({type(error).__name__}); nothing was released")
        finally:
            route = getattr(scope.get("route"), "path", "(none)")
            if self.rules.tell:
                method = scope["method"] if scope["method"] in _METHODS else "other"
                self.rules.tell(route, method, status, perf_counter() - begin)

    def _signs_in(self, scope: Scope, headers: dict[str, str]) -> bool:
        if not (self.rules.cookies and self.rules.token and scope["path"] == "/" and scope["method"] == "GET"):
            return False
        return b"token=" in scope.get("query_string", b"") and _known_host(headers, self.rules.hosts)

    def _verify(self, scope: Scope, headers: dict[str, str]) -> None:
        rules = self.rules
        if not _known_host(headers, rules.hosts):
            raise _RefusedError(421, "unknown host name in the request; use the address that was printed at the start")
        if int(headers.get("content-length") or 0) > rules.largest:
            raise _RefusedError(413, f"the request is larger than {rules.largest:,} bytes")
        changing = scope["method"] not in _READING
        if changing and not _same_origin(headers):
            raise _RefusedError(403, "the request comes from another site")
        if rules.token is None or scope["path"] in rules.open:
            return
        by_header = _equal(headers.get("authorization", "").removeprefix("Bearer "), rules.token)
        by_cookie = rules.cookies and _equal(_cookie(headers, scope), rules.secret)
        if not by_header and not by_cookie:
            hint = "open the address that was printed at the start" if rules.cookies else "send Authorization: Bearer"
            raise _RefusedError(401, f"this needs the token; {hint}")
        if changing and by_cookie and not by_header and not _equal(headers.get("x-csrf-token", ""), rules.csrf):
            raise _RefusedError(403, "the page is out of date; load it again")


def _known_host(headers: dict[str, str], hosts: frozenset[str]) -> bool:
    try:
        name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name in hosts:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same_origin(headers: dict[str, str]) -> bool:
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _cookie_name(scope: Scope) -> str:
    # Cookies know no ports: two reviews on one machine need two names.
    server = scope.get("server") or ("", 0)
    return f"taciturn-{server[1]}"


def _cookie(headers: dict[str, str], scope: Scope) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(_cookie_name(scope))
    except CookieError:
        return ""
    return found.value if found else ""


async def _sign_in(scope: Scope, rules: Rules, send: Send) -> None:
    given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
    if not _equal(given, rules.token or ""):
        raise _RefusedError(401, "this token is not today's; open the address that was printed at the start")
    cookie = f"{_cookie_name(scope)}={rules.secret}; Path=/; HttpOnly; SameSite=Strict"
    # A page that leads on, and no redirect: who comes from a page of another site (a file, a mail) would be led on
    # without the cookie.
    body = b'<!doctype html><title>Taciturn</title><link rel="icon" href="data:,"><a href="/">Review</a>'
    fields = [
        (b"refresh", b"0; url=/"),
        (b"set-cookie", cookie.encode()),
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": fields})
    await send({"type": "http.response.body", "body": body})


async def _say(send: Send, status: int, message: str, as_page: bool = False) -> None:
    """A refusal: a page for who follows a link or loads an old tab, data for programs."""
    body = json.dumps({"detail": message}).encode()
    if as_page:
        said = f"<h1>This cannot be shown</h1><p>{escape(message[:1].upper() + message[1:])}.</p>"
        body = f"<!doctype html><html lang=en><meta charset=utf-8><title>Taciturn</title><main>{said}</main>".encode()
    # Who is refused keeps no connection.
    headers = [
        (b"content-type", b"text/html; charset=utf-8" if as_page else b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _place(error: BaseException) -> str:
    """The last place of our own code that a fault went through."""
    place, at = "?", error.__traceback__
    while at is not None:
        name = at.tb_frame.f_globals.get("__name__", "")
        if name.startswith("taciturn."):
            place = f"{name}:{at.tb_lineno}"
        at = at.tb_next
    return place

"""The way back: an encrypted key file that gives a release its original again.

A key file holds, for each release that was made with it, the original as it was read and what was written for what. It
is encrypted with a key that is derived from a passphrase (scrypt, then Fernet of the package ``cryptography``). With it
a release becomes its original, byte for byte; a text that only quotes releases gets the original values back.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import scrypt, sha256
from secrets import token_bytes
from types import MappingProxyType
from typing import Any

from taciturn.errors import InputError
from taciturn.plan import Edit

__all__ = ["KeyFile", "KeyFileError"]

_KIND = "key/1"
_COST = {"n": 1 << 14, "r": 8, "p": 1}


class KeyFileError(InputError):
    """A key file that cannot be opened, or that knows nothing of a release.

    >>> issubclass(KeyFileError, InputError)
    True
    """


@dataclass(frozen=True, slots=True)
class KeyFile:
    """Originals by the digest of their releases, and originals of values by what stands for them.

    >>> made = KeyFile().adding(b"Ms. Jane Roe came.", b"Ms. Anna Poe came.", {"Anna Poe": "Jane Roe"})
    >>> opened = KeyFile.open(made.sealed("a passphrase"), "a passphrase")
    >>> opened.restore(b"Ms. Anna Poe came."), opened.restore(b"Of Anna Poe we know more.")
    (b'Ms. Jane Roe came.', b'Of Jane Roe we know more.')
    """

    originals: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    values: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    def adding(self, original: bytes, released: bytes, values: Mapping[str, str]) -> KeyFile:
        """The key file with one more release. A value that stands for two originals is no way back and is left out.

        >>> KeyFile().adding(b"a", b"b", {}).adding(b"c", b"d", {}).restore(b"d")
        b'c'
        """
        mixed = {**self.values, **values}
        clear = {new: old for new, old in mixed.items() if self.values.get(new, old) == old}
        return KeyFile(MappingProxyType({**self.originals, _digest(released): original}), MappingProxyType(clear))

    def restore(self, released: bytes) -> bytes:
        """The original of a release; of another text, the text with the original values.

        >>> try:
        ...     KeyFile().restore(bytes([255]))
        ... except KeyFileError as error:
        ...     print(error)
        the key file knows no release with this content; restore the file as it was released
        """
        known = self.originals.get(_digest(released))
        if known is not None:
            return known
        try:
            text = released.decode("utf-8")
        except UnicodeDecodeError:
            text = ""
        if not text or not self.values or "\0" in text:
            raise KeyFileError("the key file knows no release with this content; restore the file as it was released")
        parts = "|".join(map(re.escape, sorted(self.values, key=lambda value: (-len(value), value))))
        return re.sub(rf"(?<!\w)(?:{parts})(?!\w)", lambda m: self.values[m.group()], text).encode("utf-8")

    def sealed(self, passphrase: str) -> bytes:
        """The key file as bytes that say nothing without the passphrase."""
        salt = token_bytes(16)
        content = {
            "originals": {digest: b64encode(data).decode() for digest, data in self.originals.items()},
            "written": dict(self.values),
        }
        token = _fernet(passphrase, salt).encrypt(zlib.compress(json.dumps(content).encode(), 9))
        outer = {"taciturn": _KIND, "kdf": "scrypt", **_COST, "salt": b64encode(salt).decode(), "token": token.decode()}
        return (json.dumps(outer, indent=2) + "\n").encode()

    @classmethod
    def open(cls, data: bytes, passphrase: str) -> KeyFile:
        """The key file that was sealed; raises :class:`KeyFileError` for a wrong passphrase or changed bytes.

        >>> try:
        ...     KeyFile.open(KeyFile().sealed("right"), "wrong")
        ... except KeyFileError as error:
        ...     print(error)
        the key file does not open: the passphrase is another one, or the file was changed
        """
        from cryptography.fernet import InvalidToken

        try:
            outer: dict[str, Any] = json.loads(data)
            if outer["taciturn"] != _KIND or any(outer[name] != value for name, value in _COST.items()):
                raise KeyFileError("this is no key file that this version of Taciturn can open")
            token = _fernet(passphrase, b64decode(outer["salt"])).decrypt(outer["token"].encode())
            content = json.loads(zlib.decompress(token))
        except InvalidToken:
            raise KeyFileError(
                "the key file does not open: the passphrase is another one, or the file was changed"
            ) from None
        except (ValueError, KeyError, TypeError, zlib.error) as error:
            if isinstance(error, KeyFileError):
                raise
            raise KeyFileError("this is no key file; name the one that sanitize --key wrote") from None
        originals = {digest: b64decode(written) for digest, written in content["originals"].items()}
        return cls(MappingProxyType(originals), MappingProxyType(content["written"]))


def values_of(edits: Iterable[Edit]) -> dict[str, str]:
    """What was written for what, where that tells one original: a surrogate, or a mark with a number.

    >>> values_of([Edit(0, 4, "Anna", "Jane", "", "kinds"), Edit(5, 8, "Roe", "[REDACTED]", "", "kinds")])
    {'Jane': 'Anna'}
    """
    found: dict[str, set[str]] = {}
    for edit in edits:
        if len(edit.replacement) > 2 and edit.replacement != "[REDACTED]":
            found.setdefault(edit.replacement, set()).add(edit.original)
    return {new: next(iter(old)) for new, old in found.items() if len(old) == 1}


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _fernet(passphrase: str, salt: bytes) -> Any:
    from cryptography.fernet import Fernet

    key = scrypt(passphrase.encode("utf-8"), salt=salt, **_COST, maxmem=1 << 26, dklen=32)
    return Fernet(urlsafe_b64encode(key))

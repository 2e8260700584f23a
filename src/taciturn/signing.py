"""Seals and signatures: a digest over everything that a certificate says, and an Ed25519 signature over both.

The digest tells that nothing was altered by accident. Who alters a certificate on purpose can make the digest anew, but
not the signature: it needs the private key of the office that released the text. A private key is a PEM file that
``taciturn keys new`` writes; the public key beside it is what readers get.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taciturn.errors import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = [
    "canonical",
    "derived_salt",
    "fault",
    "fingerprint",
    "new_keys",
    "read_private_key",
    "read_public_key",
    "seal",
    "signer",
]

_DOMAIN = b"taciturn certificate\n"
_SALT = b"taciturn salt\n"
_DIGEST, _SIGNATURE = "sha256", "signature"


def canonical(data: Any) -> bytes:
    """The one way to write JSON data as bytes, for digests.

    >>> canonical({"b": 1, "a": "é"}).decode()
    '{"a":"é","b":1}'
    """
    written = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return written.encode("utf-8", "surrogatepass")


def _digest(data: Mapping[str, Any]) -> str:
    return sha256(_DOMAIN + canonical({k: v for k, v in data.items() if k not in (_DIGEST, _SIGNATURE)})).hexdigest()


def seal(data: Mapping[str, Any], key: bytes | None = None) -> dict[str, Any]:
    """The data with the digest of all of it, signed if a private key is given.

    >>> sealed = seal({"holds": True}, key=bytes(32))
    >>> fault(sealed), fault({**sealed, "holds": False})
    ('', 'it was altered: its digest is not that of what it says')
    """
    sealed: dict[str, Any] = {k: v for k, v in data.items() if k not in (_DIGEST, _SIGNATURE)}
    sealed[_DIGEST] = _digest(sealed)
    if key is not None:
        private = _private(key)
        signature = private.sign(_DOMAIN + bytes.fromhex(sealed[_DIGEST]))
        public = private.public_key().public_bytes_raw()
        sealed[_SIGNATURE] = {"ed25519": signature.hex(), "public_key": public.hex()}
    return sealed


def fault(data: Mapping[str, Any], key: bytes | None = None) -> str:
    """What is wrong with sealed data; empty if nothing is. With a public ``key``, it must be signed by that key."""
    if data.get(_DIGEST) != _digest(data):
        return "it was altered: its digest is not that of what it says"
    found = data.get(_SIGNATURE)
    if found is None:
        return "it is not signed" if key is not None else ""
    try:
        signature, public = bytes.fromhex(found["ed25519"]), bytes.fromhex(found["public_key"])
        is_written = found == {"ed25519": signature.hex(), "public_key": public.hex()}
    except (TypeError, KeyError, ValueError):
        return "it was altered: its signature is damaged"
    if key is not None and public != key:
        return f"it is signed by another key, {fingerprint(public)}, and not by {fingerprint(key)}"
    if not is_written or not _is_signed(public, signature, _DOMAIN + bytes.fromhex(data[_DIGEST])):
        return "it was altered: its signature does not fit what it says"
    return ""


def signer(data: Mapping[str, Any]) -> str:
    """The fingerprint of the key that signed sealed data; empty if it is not signed.

    >>> signer(seal({"holds": True}, key=bytes(32)))
    '139e3940e64b5491'
    """
    found = data.get(_SIGNATURE)
    return fingerprint(bytes.fromhex(found["public_key"])) if found is not None else ""


def _is_signed(public: bytes, signature: bytes, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: bytes) -> str:
    """A short name of a public key, for people to compare."""
    return sha256(public).hexdigest()[:16]


def derived_salt(body: bytes, key: bytes | None) -> str:
    """A salt that nobody can guess: from the private key and what it is for, or, without a key, by chance.

    >>> derived_salt(b"HIV", bytes(32)) == derived_salt(b"HIV", bytes(32)) != derived_salt(b"AIDS", bytes(32))
    True
    """
    return hmac.new(key, _SALT + body, sha256).hexdigest() if key is not None else secrets.token_hex(32)


def new_keys() -> tuple[bytes, bytes]:
    """A new private key and its public key, as PEM files hold them."""
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    written = private.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    public = private.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)
    return written, public


def read_private_key(path: str | Path) -> bytes:
    """The private key in a PEM file; raises :class:`InputError` for a file that holds none."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    data = _read(path)
    try:
        key = load_pem_private_key(data, None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{str(path)!r} holds no private Ed25519 key without password; taciturn keys new makes one")
    return key.private_bytes_raw()


def read_public_key(path: str | Path) -> bytes:
    """The public key in a PEM file; raises :class:`InputError` for a file that holds none."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    data = _read(path)
    try:
        key = load_pem_public_key(data)
    except ValueError:
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(f"{str(path)!r} holds no public Ed25519 key; give the .pub file that the office publishes")
    return key.public_bytes_raw()


def _private(key: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key)


def _read(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}; check the path") from None

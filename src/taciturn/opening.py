"""What a certificate commits to: the models with all that they protect, and the spans of the release that they wrote.

The certificate holds a salted digest of it. Without the salt nobody can try names against that digest; who is given the
opening can, and can check the guarantee again with exactly the models that made it. The opening is private: it names
what is protected, and for some models what was hidden.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from taciturn.document import Span
from taciturn.errors import InputError
from taciturn.models.base import Model
from taciturn.models.declare import declared, find_declaration
from taciturn.models.excepting import Basis, Excepting
from taciturn.models.flagged import Flagged
from taciturn.models.matching import Matcher
from taciturn.signing import canonical, derived_salt

__all__ = ["Opening", "described", "make_opening"]

_VERSION = "opening/1"
_PARTS: Mapping[str, type[Any]] = {part.__name__: part for part in (Excepting, Matcher, Basis, Flagged)}
_HELD = "held elsewhere"  # a list or a base that is too large to write down: its digest stands for it

Load = Callable[[str, str], Any]
"""Given the names of a model and of a parameter: the value of one that is held elsewhere, a file for example."""


@dataclass(frozen=True, slots=True, repr=False)
class Opening:
    """The opening of a commitment: ``models`` as plain data, ``replaced`` spans of the released text, the ``salt``.

    >>> from taciturn.models import CSanitized
    >>> opening = make_opening([CSanitized(protect=["HIV"])], [(7, 16)], key=bytes(32))
    >>> Opening.from_json(opening.to_json()).commitment == opening.commitment
    True
    >>> opening.build()[0].protect
    ('HIV',)
    """

    salt: str
    models: tuple[Any, ...]
    replaced: tuple[Span, ...]

    @property
    def commitment(self) -> str:
        """What the certificate quotes."""
        return hmac.new(bytes.fromhex(self.salt), _body(self.models, self.replaced), sha256).hexdigest()

    def build(self, load: Load | None = None) -> tuple[Model, ...]:
        """The models. Raises :class:`InputError` for one that cannot be made from data, or if a file is missing."""
        return tuple(_restored(told, load) for told in self.models)

    def to_json(self) -> dict[str, Any]:
        """The opening as plain data."""
        return {
            "taciturn": _VERSION,
            "private": "This names what is protected. Give it only to who may know that.",
            "salt": self.salt,
            "models": list(self.models),
            "replaced": [list(span) for span in self.replaced],
        }

    @classmethod
    def from_json(cls, data: object, name: str = "the data") -> Opening:
        """The opening that :meth:`to_json` wrote. Raises :class:`InputError` for anything else."""
        if not isinstance(data, Mapping) or data.get("taciturn") != _VERSION:
            raise InputError(f"{name!r} is no opening of a certificate, or one of a later version of Taciturn")
        try:
            if len(bytes.fromhex(data["salt"])) != 32:
                raise ValueError("the salt, which has not 32 bytes")
            replaced = tuple((int(start), int(end)) for start, end in data["replaced"])
            return cls(data["salt"], tuple(data["models"]), replaced)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{name!r} is a damaged opening: {type(error).__name__} at {error}") from None

    @classmethod
    def read(cls, path: str | Path) -> Opening:
        """The opening in a JSON file."""
        try:
            data = json.loads(Path(path).read_text("utf-8"))
        except OSError as error:
            raise InputError(f"{str(path)!r} cannot be read: {error.strerror}; check the path") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{str(path)!r} is not an opening: {error}") from None
        return cls.from_json(data, str(path))


def make_opening(models: Sequence[Model], replaced: Sequence[Span], key: bytes | None = None) -> Opening:
    """The opening for models that are bound to a document; the salt comes from the private key, or from chance."""
    told, spans = tuple(described(model) for model in models), tuple(replaced)
    return Opening(derived_salt(_body(told, spans), key), told, spans)


def _body(models: Sequence[Any], replaced: Sequence[Span]) -> bytes:
    return canonical({"models": list(models), "replaced": [list(span) for span in replaced]})


def described(value: Any) -> Any:
    """A model, or a value of a parameter, as plain data.

    >>> described(Matcher(exact=["Ann"]))["fields"]["exact"]
    ['Ann']
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {"pairs": [[name, described(held)] for name, held in value.items()]}
    if isinstance(value, list | tuple):
        return [described(held) for held in value]
    told = find_declaration(value)
    if told is not None:
        parameters = {p.name: getattr(value, p.name) for p in told.parameters}
        found = {
            f.name: written
            for f in fields(value)
            if f.init and f.name not in parameters and _is_whole(written := described(getattr(value, f.name)))
        }
        loaded = {p.name for p in told.parameters if p.load is not None}
        return {
            "model": told.name,
            "parameters": {n: _held(v) if n in loaded else described(v) for n, v in parameters.items()},
            "found": found,
        }
    if type(value).__name__ in _PARTS:
        return {
            "of": type(value).__name__,
            "fields": {f.name: described(getattr(value, f.name)) for f in fields(value) if f.init},
        }
    return _held(value)


def _held(value: Any) -> Any:
    """What stands for a value that is not written down."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return {_HELD: sha256(canonical(described(value))).hexdigest()}
    return {_HELD: str(getattr(value, "digest", "")), "kind": type(value).__name__}


def _is_whole(written: Any) -> bool:
    """Is nothing of a description held elsewhere?"""
    if isinstance(written, dict):
        return _HELD not in written and all(map(_is_whole, written.values()))
    return not isinstance(written, list) or all(map(_is_whole, written))


def _restored(told: Any, load: Load | None) -> Any:
    if isinstance(told, list):
        return tuple(_restored(held, load) for held in told)
    if not isinstance(told, dict):
        return told
    if "pairs" in told:
        return {name: _restored(held, load) for name, held in told["pairs"]}
    try:
        if "model" in told:
            model = told["model"]
            given = {n: _loaded(v, load, model, n) for n, v in told["parameters"].items()}
            return declared(model).model(**given, **{n: _restored(v, load) for n, v in told["found"].items()})
        return _PARTS[told["of"]](**{n: _restored(v, load) for n, v in told["fields"].items()})
    except (KeyError, TypeError) as error:
        raise InputError(f"the opening's model cannot be made again: {type(error).__name__} at {error}") from None


def _loaded(told: Any, load: Load | None, model: str, name: str) -> Any:
    if not (isinstance(told, dict) and _HELD in told):
        return _restored(told, load)
    value = load(model, name) if load is not None else None
    if value is None:
        raise InputError(f"the certificate commits to {name!r} of the model {model!r} by its digest; give it as well")
    if _held(value) != told:
        raise InputError(f"the {name!r} that is given for the model {model!r} is not the one that was used")
    return value

"""The certificate of a release: which guarantees hold, under which parameters and which knowledge.

It is public, and nothing in it depends on what is protected: statements and parameters are the same whatever that is,
and of the figures only those stand in it that the released text gives by itself. The others are private and go to the
report (:meth:`Certificate.private`). docs/certificates.md says how a certificate is checked.

It is written as JSON (:meth:`Certificate.to_json`), under a digest of all that it says and perhaps a signature
(:mod:`taciturn.signing`), and read back (:meth:`Certificate.from_json`, :meth:`Certificate.read`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from typing import Any

from taciturn.errors import InputError
from taciturn.models.base import Guarantee, Violation
from taciturn.signing import fault, seal

__all__ = ["Certificate", "differences", "is_sealed", "read_certificate"]

_VERSION = ("taciturn", "certificate/3")
_BEFORE = (("taciturn", "certificate/2"), ("tacit", "certificate/1"))  # without a digest, with private figures
_LIMITS = (
    "Guaranteed against a reader who knows what this knowledge knows: a corpus, not the world. The released text was "
    "also searched for every written form of what is protected and for what was removed."
)


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """What is guaranteed of a released text. Written as JSON it is safe to publish.

    ``text_digest`` ties it to the released text, ``knowledge_digest`` to the knowledge it holds against. ``planning``
    says of models whether as little as possible was changed: "optimal", or not proven so. In memory the guarantees also
    have private figures, violations and names.

    >>> import taciturn
    >>> certificate = taciturn.check("He has a disease.", taciturn.CSanitized(protect=["HIV"]))
    >>> certificate.holds, certificate.violations
    (True, ())
    >>> taciturn.Certificate.from_json(certificate.to_json()).text_digest == certificate.text_digest
    True
    """

    text_digest: str
    knowledge_digest: str
    guarantees: tuple[Guarantee, ...]
    planning: tuple[tuple[str, str], ...] = ()

    @property
    def holds(self) -> bool:
        """Does every guarantee hold?

        >>> import taciturn
        >>> model = taciturn.CSanitized(protect=["HIV"])
        >>> taciturn.check("He has AIDS.", model).holds, taciturn.check("He has a disease.", model).holds
        (False, True)
        """
        return all(g.holds for g in self.guarantees)

    @property
    def margin(self) -> float:
        """How far the weakest guarantee is from failing, in its model's unit; negative when it fails. Private: a
        certificate that was read does not have it (nan).

        >>> import taciturn
        >>> model = taciturn.CSanitized(protect=["HIV"])
        >>> taciturn.check("He has AIDS.", model).margin < 0 < taciturn.check("He has a disease.", model).margin
        True
        """
        return min((g.margin for g in self.guarantees), default=0.0)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Where guarantees fail. Private: they quote the text.

        >>> import taciturn
        >>> model = taciturn.CSanitized(protect=["HIV"])
        >>> [violation.spans for violation in taciturn.check("He has AIDS.", model).violations][:1]
        [((7, 11),)]
        """
        return tuple(v for g in self.guarantees for v in g.violations)

    def __repr__(self) -> str:
        models = ", ".join(g.model for g in self.guarantees)
        margin = f", margin={self.margin:.6g}" if isfinite(self.margin) else ""
        return f"Certificate(holds={self.holds}{margin}, models=[{models}])"

    def to_json(
        self, *, name_protected: bool = False, beside: Mapping[str, Any] | None = None, key: bytes | None = None
    ) -> dict[str, Any]:
        """The public certificate as plain data under its digest, signed if a private ``key`` is given.

        Protected entities are named only when asked. ``beside`` is what else it is to say.

        >>> Certificate("1f", "2e", ()).to_json()["taciturn"]
        'certificate/3'
        """
        said: dict[str, Any] = {
            _VERSION[0]: _VERSION[1],
            "holds": self.holds,
            "text_sha256": self.text_digest,
            "knowledge_sha256": self.knowledge_digest,
            "limits": _LIMITS,
            "guarantees": [_row(g, name_protected) for g in self.guarantees],
            **({"planning": dict(self.planning)} if self.planning else {}),
        }
        return seal({**said, **(beside or {})}, key)

    def private(self) -> list[dict[str, Any]]:
        """All figures of each guarantee, as plain data: for the report, never for the public.

        >>> import taciturn
        >>> sorted(taciturn.check("A cat.", taciturn.CSanitized(protect=["HIV"])).private()[0])
        ['figures', 'holds', 'margin', 'model']
        """
        return [g.told() for g in self.guarantees]

    @classmethod
    def from_json(cls, data: object, name: str = "the data") -> Certificate:
        """The certificate that :meth:`to_json` wrote, of this version or an earlier one.

        What is private was not written, so it has none of that. ``name`` is what errors call the data. Raises
        :class:`taciturn.InputError` for anything that is no certificate, was altered, or contradicts itself.

        >>> Certificate.from_json({"tacit": "certificate/1", "holds": True, "text_sha256": "1f",
        ...     "knowledge_sha256": "2e", "guarantees": []})
        Certificate(holds=True, margin=0, models=[])
        """
        if not isinstance(data, Mapping) or all(data.get(key) != version for key, version in (_VERSION, *_BEFORE)):
            raise InputError(f"{name!r} is not a certificate of Taciturn, or one of a later version")
        if is_sealed(data) and (wrong := fault(data)):
            raise InputError(f"{name!r} cannot be relied on: {wrong}")
        try:
            guarantees = tuple(_guarantee(row) for row in data["guarantees"])
            planned = tuple((_text(model), _text(said)) for model, said in data.get("planning", {}).items())
            found = cls(_text(data["text_sha256"]), _text(data["knowledge_sha256"]), guarantees, planned)
            stated = data["holds"]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{name!r} is a damaged certificate: {type(error).__name__} at {error}") from None
        if stated is not found.holds:
            raise InputError(f"{name!r} contradicts itself: it says holds = {stated}, its guarantees say otherwise")
        return found

    @classmethod
    def read(cls, path: str | Path) -> Certificate:
        """The certificate in a JSON file; see :meth:`from_json`.

        >>> Certificate.read("no/such/certificate.json")
        Traceback (most recent call last):
        taciturn.errors.InputError: 'no/such/certificate.json' cannot be read: No such file or directory
        """
        return read_certificate(path)[0]


def read_certificate(path: str | Path) -> tuple[Certificate, dict[str, Any]]:
    """The certificate in a JSON file, and all that the file says."""
    try:
        data = json.loads(Path(path).read_text("utf-8"), object_pairs_hook=_once)
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{str(path)!r} is not a certificate: {error}") from error
    return Certificate.from_json(data, str(path)), data


def is_sealed(data: Mapping[str, Any]) -> bool:
    """Is a certificate of a version that is under a digest?"""
    return data.get(_VERSION[0]) == _VERSION[1]


def differences(stated: Mapping[str, Any], found: Certificate, *, same_text: bool = True) -> list[str]:
    """Where a certificate says something else than was found, one line each.

    Of another text than the certified one (a file may give back its text a little differently) the figures are not
    compared. Earlier versions were written by other rules: of them models and verdicts are compared.

    >>> certificate = Certificate("1f", "2e", (Guarantee("kinds", "No name.", True, 1.0),))
    >>> differences({**certificate.to_json(), "guarantees": []}, certificate)
    ['the certificate has 0 guarantees, the check has 1']
    """
    rows = stated["guarantees"]
    if len(rows) != len(found.guarantees):
        return [f"the certificate has {len(rows)} guarantees, the check has {len(found.guarantees)}"]
    compared = ("model", "holds", "statement", "parameters", *(("figures",) if same_text else ()))
    compared = compared if is_sealed(stated) else ("model", "holds")
    told = []
    for row, guarantee in zip(rows, found.guarantees, strict=True):
        ours = _row(guarantee, name_protected="protected" in row)
        for part in (*compared, *(("protected",) if "protected" in row and is_sealed(stated) else ())):
            theirs, here = json.loads(json.dumps(row[part])), json.loads(json.dumps(ours[part]))
            if theirs != here:
                told.append(f"{part} of {guarantee.model}: the certificate says {theirs!r}, the check {here!r}")
    return told


def _row(g: Guarantee, name_protected: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "model": g.model,
        "statement": g.statement,
        "holds": g.holds,
        "parameters": dict(g.parameters),
        "figures": g.published,
    }
    return {**row, "protected": list(g.protected)} if name_protected else row


def _guarantee(row: Mapping[str, Any]) -> Guarantee:
    if not isinstance(row["holds"], bool):
        raise TypeError("'holds', which is not true or false")
    return Guarantee(
        model=_text(row["model"]),
        statement=_text(row["statement"]),
        holds=row["holds"],
        margin=float(row["margin"]) if row.get("margin") is not None else nan,
        parameters=dict(row["parameters"]),
        figures=dict(row["figures"]),
        protected=tuple(_text(name) for name in row.get("protected", ())),
        public=tuple(row["figures"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r}, which is not text")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose names are each there once: of two readers one might take the first, another the last."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands in it twice")
    return dict(pairs)

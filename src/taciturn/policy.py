"""Policies: what to protect, by which models, how to replace, on which legal basis. A file in TOML, or a preset.

A policy is a frozen value that ``sanitize`` and ``check`` take in the place of a model. Its file is read and strictly
validated by :mod:`tacit.policyfile`; :meth:`Policy.build` makes the models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from tacit.models import (
    CSanitized,
    Denied,
    Informative,
    KAnonymous,
    Kinds,
    KSafe,
    Model,
    PersonRelease,
    Related,
    TPlausible,
)
from tacit.models.excepting import Basis, Excepting
from tacit.models.matching import Matcher
from tacit.replacement import MarkStyle

if TYPE_CHECKING:
    from tacit.formats import Options

__all__ = ["Policy", "PolicyError", "Protected", "preset_names", "preset_text"]

_INFERENCE = frozenset({"c-sanitized", "related", "person-release", "t-plausible", "k-safe"})
"""The models that protect terms from being inferred; a policy that names none of them gets the first."""
_TAKES = {"branches": "k-safe", "lists": "k-anonymous"}
"""The models that protect branches and lists; without them these are hidden wherever they stand."""


class PolicyError(ValueError):
    """A policy that cannot be used; the message names the file, the line, the value and what to write instead."""


@dataclass(frozen=True, slots=True)
class Protected:
    """Things to protect on one legal basis.

    ``terms``: entities that must not be inferred. ``words``: what must not stand there, in any form or under a synonym.
    ``branches``: every kind of these, by the taxonomies. ``lists``: (name, strings). ``patterns``: in RE2's language.
    ``kinds``: kinds of terms; ``keep``: how much of a kind may stay, by kind.
    """

    terms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    patterns: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    keep: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    basis: Basis = field(default_factory=Basis)

    def rules(self) -> Iterator[str]:
        """The names under which edits know what asked for them."""
        yield from (f"term {t}" for t in (*self.terms, *self.words))
        yield from (f"branch {b}" for b in self.branches)
        yield from (f"list {name}" for name, _ in self.lists)
        yield from (f"pattern {p}" for p in self.patterns)
        yield from (f"kind {k}" for k in (*self.kinds, *self.keep))


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What to protect and how.

    ``models`` are names with parameters, applied in this order. ``columns``: the columns of a table that are read as
    text (None: all); ``pictures``, ``unreadable``, ``keep_layout``: as in ``formats.Options``. ``leave``: places of a
    file that stay as they are. ``unknown``: what becomes of terms of which the knowledge knows nothing (None: the
    model's default).

    >>> policy = Policy.load("hipaa-safe-harbor")
    >>> policy.name, [model.name for model in policy.build()]
    ('hipaa-safe-harbor', ['kinds', 'denied'])
    """

    name: str
    title: str = ""
    description: str = ""
    law: tuple[str, ...] = ()
    protect: tuple[Protected, ...] = ()
    models: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    style: Literal["generalize", "redact"] = "generalize"
    mark: MarkStyle = "redacted"
    unknown: Literal["keep", "redact"] | None = None
    allow: Matcher = field(default_factory=Matcher)
    deny: Matcher = field(default_factory=Matcher)
    deny_basis: Basis = field(default_factory=Basis)
    columns: tuple[str, ...] | None = None
    pictures: Literal["blank", "keep", "refuse"] = "blank"
    unreadable: Literal["remove", "refuse", "rasterize"] = "remove"
    keep_layout: bool = True
    leave: tuple[str, ...] = ()
    is_preset: bool = False

    @classmethod
    def load(cls, source: str | Path, protect: Sequence[str] = ()) -> Policy:
        """The preset of this name, or the policy in this file; ``protect`` names entities to protect as well.

        Raises :class:`PolicyError` at the first thing in it that cannot be.
        """
        from tacit.policyfile import parse

        if isinstance(source, str) and source in preset_names():
            policy = replace(parse(preset_text(source), source, Path()), name=source, is_preset=True)
        else:
            path = Path(source)
            try:
                text = path.read_text("utf-8")
            except UnicodeDecodeError as error:
                raise PolicyError(f"{str(source)!r} is not UTF-8 text (byte {error.start}); convert it first") from None
            except OSError as error:
                raise PolicyError(_no_such(str(source), error)) from None
            policy = parse(text, str(source), path.parent)
        return policy.protecting(protect) if protect else policy

    def protecting(self, terms: Sequence[str]) -> Policy:
        """The policy with more entities to protect, on the basis of the first that it protects terms on."""
        names = (terms,) if isinstance(terms, str) else tuple(terms)
        basis = next((p.basis for p in self.protect if p.terms), Basis())
        return replace(self, protect=(*self.protect, Protected(terms=names, basis=basis)))

    def build(self) -> tuple[Model, ...]:
        """The models, in the order in which they are applied; what the policy denies comes last."""
        asked = [m["name"] for m in self.models]
        built: list[Model] = []
        hide = tuple(dict.fromkeys(k for p in self.protect for k in p.kinds))
        keep = {k: v for p in self.protect for k, v in p.keep.items()}
        if (hide or keep) and "kinds" not in asked:
            built.append(Kinds(hide=hide, keep=keep, mark=self.mark))
        for given in self.models:
            if given["name"] == "kinds":
                built.append(Kinds(hide=hide, keep=keep, mark=self.mark))
            else:
                built.append(self._model(given["name"], {k: v for k, v in given.items() if k != "name"}))
        if self._all("terms") and not _INFERENCE.intersection(asked):
            built.append(self._model("c-sanitized", {}))
        lists = {f"list {name}": Matcher(exact=strings) for name, strings in self._left("lists", asked)}
        lists |= {f"pattern {pattern}": Matcher(pattern=[pattern]) for pattern in self._all("patterns")}
        words, branches = self._all("words"), self._left("branches", asked)
        if words or branches or lists:
            built.append(Denied(terms=words, branches=branches, lists=lists, mark=self.mark))
        bases: dict[str, Basis] = {}
        for entry in self.protect:
            for rule in entry.rules() if entry.basis != Basis() else ():
                bases.setdefault(rule, entry.basis)
        every = {p.basis for p in self.protect}
        other = every.pop() if len(every) == 1 else Basis()
        name = self.name if self.is_preset else ""
        final = [
            Excepting(model=m, allow=self.allow, places=self.leave, bases=bases, other=other, policy=name)
            for m in built
        ]
        if len(self.deny):
            denied = Denied(lists={"deny": self.deny}, mark=self.mark)
            final.append(Excepting(model=denied, other=self.deny_basis, policy=name))
        if not final:
            raise PolicyError(
                f"the policy {self.name!r} protects nothing by itself; name what to protect: --protect TERM, "
                "or protect=[...] in Python, or [[protect]] in the file"
            )
        return tuple(final)

    def options(self) -> Options:
        """How files are to be read."""
        from tacit.formats import Options

        return Options(
            columns=self.columns,
            pictures=self.pictures,
            unreadable=self.unreadable,
            keep_layout=self.keep_layout,
        )

    def _all(self, what: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(thing for p in self.protect for thing in getattr(p, what)))

    def _left(self, what: str, asked: Sequence[str]) -> tuple[Any, ...]:
        """What no named model takes."""
        return () if _TAKES[what] in asked else self._all(what)

    def _model(self, name: str, given: dict[str, Any]) -> Model:
        terms = self._all("terms")
        content = {
            "k-anonymous": True,
            "informative": True,
            "k-safe": bool(self._all("branches")),
            "related": "beta" in given,
            "t-plausible": "kinds" in given,
        }
        if not terms and not content.get(name, False):
            raise PolicyError(
                f"the policy {self.name!r} names the model {name!r} but nothing for it to protect; add --protect TERM, "
                "protect=[...] in Python, or [[protect]] with terms in the file"
            )
        action = {"action": self.style, **given}
        unknown: dict[str, Any] = {"unknown": self.unknown} if self.unknown else {}
        match name:
            case "c-sanitized":
                return CSanitized(protect=terms, mark=self.mark, **unknown, **action)
            case "informative":
                return Informative(mark=self.mark, **unknown, **action)
            case "related":
                return Related(sensitive=terms, mark=self.mark, **unknown, **action)
            case "person-release":
                return PersonRelease(protect=terms, mark=self.mark, **given)
            case "t-plausible":
                return TPlausible(sensitive=terms, **given)
            case "k-safe":
                return KSafe(protected=terms, branch=self._all("branches"), mark=self.mark, **action)
            case _:
                strings = tuple(dict.fromkeys(s for _, listed in self._all("lists") for s in listed))
                if not strings:
                    raise PolicyError(
                        f"the policy {self.name!r} names 'k-anonymous', which needs a list under [[protect]]"
                    )
                return KAnonymous(strings, **given)


def preset_names() -> tuple[str, ...]:
    """The presets that come with Tacit.

    >>> "foia" in preset_names()
    True
    """
    folder = files("tacit").joinpath("policies")
    return tuple(sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml")))


def preset_text(name: str) -> str:
    """The file of a preset."""
    return files("tacit").joinpath("policies", f"{name}.toml").read_text("utf-8")


def _no_such(source: str, error: OSError) -> str:
    from difflib import get_close_matches

    near = get_close_matches(source, preset_names(), 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"the presets are {', '.join(preset_names())}"
    return f"{source!r} is no preset, and no policy file can be read there ({error.strerror}); {hint}"

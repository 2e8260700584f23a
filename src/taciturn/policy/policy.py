"""Policies: what to protect, by which models, how to replace, on which legal basis. A file in TOML, or a preset.

A policy is a frozen value that ``sanitize`` and ``check`` take in the place of a model. Its file is read and strictly
validated by :mod:`taciturn.policy.file`; :meth:`Policy.build` makes the models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from taciturn.errors import PolicyError
from taciturn.generalize.writing import MarkStyle
from taciturn.models.base import Model, as_terms
from taciturn.models.declare import DEFAULT, Declaration, declared
from taciturn.models.excepting import Basis, Excepting
from taciturn.models.flagged import Flagged
from taciturn.models.matching import Matcher
from taciturn.models.parameter import Action, Parameter, Unknown
from taciturn.policy.protected import Protected

if TYPE_CHECKING:
    from taciturn.formats import Options

__all__ = ["Policy", "PolicyError", "preset_names", "preset_text"]

Given = Mapping[str, Any]
"""The parameters that a policy gives a model."""

_FIELDS = {"terms": "terms", "strings": "lists", "kinds": "kinds", "branches": "branches", "words": "words"}
"""Where a file says what a parameter takes, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What to protect and how.

    ``models`` are names with parameters, applied in this order. ``columns``: the columns of a table that are read as
    text (None: all); ``declared``, ``pictures``, ``unreadable``, ``keep_layout``, ``boxes``: as in
    ``formats.Options``. ``leave``: places of a file that stay as they are. ``style``, ``mark``, ``unknown``: said once
    for all models (None: each model's default). ``seconds`` and ``memory`` (megabytes) bound the work on a document.
    ``second_person``: in review, somebody else approves a document before it is released.
    ``readers``: what a reader may not infer beyond what is protected from all, by the reader's name; such a policy
    makes one release for each reader (:meth:`for_reader`).

    >>> policy = Policy.load("hipaa-safe-harbor")
    >>> policy.name, [model.name for model in policy.build()]
    ('hipaa-safe-harbor', ['kinds', 'denied'])
    """

    name: str
    title: str = ""
    description: str = ""
    law: tuple[str, ...] = ()
    protect: tuple[Protected, ...] = ()
    readers: Mapping[str, Protected] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    models: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    style: Action | None = None
    mark: MarkStyle | None = None
    unknown: Unknown | None = None
    allow: Matcher = field(default_factory=Matcher)
    deny: Matcher = field(default_factory=Matcher)
    deny_basis: Basis = field(default_factory=Basis)
    columns: tuple[str, ...] | None = None
    declared: tuple[tuple[str, str], ...] = ()
    pictures: Literal["blank", "keep", "read", "refuse"] = "blank"
    unreadable: Literal["remove", "refuse", "rasterize"] = "remove"
    keep_layout: bool = True
    boxes: bool = True
    leave: tuple[str, ...] = ()
    seconds: float = 600.0
    memory: int = 4096
    second_person: bool = False
    is_preset: bool = False

    @classmethod
    def load(cls, source: str | Path, protect: Sequence[str] = ()) -> Policy:
        """The preset of this name, or the policy in this file; ``protect`` names entities to protect as well.

        Raises :class:`PolicyError` at the first thing in it that cannot be.

        >>> Policy.load("hipaa-safe-harbor").is_preset
        True
        """
        from taciturn.policy.file import parse

        if isinstance(source, str) and source in preset_names():
            policy = replace(parse(preset_text(source), source, Path(), cls), name=source, is_preset=True)
        else:
            path = Path(source)
            try:
                text = path.read_text("utf-8")
            except UnicodeDecodeError as error:
                raise PolicyError(f"{str(source)!r} is not UTF-8 text (byte {error.start}); convert it first") from None
            except OSError as error:
                raise PolicyError(_no_such(str(source), error)) from None
            policy = parse(text, str(source), path.parent, cls)
        return policy.protecting(protect) if protect else policy

    def protecting(self, terms: Sequence[str]) -> Policy:
        """The policy with more entities to protect, on the basis of the first that it protects terms on.

        >>> Policy.load("us-state-medical").protecting(["sickle cell disease"]).protect[-1].terms
        ('sickle cell disease',)
        """
        basis = next((p.basis for p in self.protect if p.terms), Basis())
        return replace(self, protect=(*self.protect, Protected(terms=as_terms(terms), basis=basis)))

    def for_reader(self, name: str) -> Policy:
        """The policy for one of its readers: what is protected from all, and what this reader may not infer.

        >>> readers = {"insurer": Protected(terms=("HIV",)), "press": Protected(kinds=("person",))}
        >>> ward = Policy(name="ward", readers=readers)
        >>> {name: [m.name for m in ward.for_reader(name).build()] for name in ward.readers}
        {'insurer': ['c-sanitized'], 'press': ['kinds']}
        """
        if name not in self.readers:
            known = f"it has {', '.join(self.readers)}" if self.readers else "it has none; add [readers.NAME]"
            raise PolicyError(f"the policy {self.name!r} has no reader {name!r}; {known}")
        return replace(self, protect=(*self.protect, self.readers[name]), readers=MappingProxyType({}))

    def build(self) -> tuple[Model, ...]:
        """The models, in the order in which they are applied; what the policy denies comes last.

        >>> [model.name for model in Policy.load("hipaa-safe-harbor").build()]
        ['kinds', 'denied']
        """
        if self.readers:
            raise PolicyError(
                f"the policy {self.name!r} has a release for each of its readers ({', '.join(self.readers)}); "
                "say for whom: --reader NAME, or policy.for_reader(name) in Python"
            )
        asked = [(declared(m["name"]), {k: v for k, v in m.items() if k != "name"}) for m in self.models]
        taken = {what for told, given in asked for what in _takes(told, given)}
        content = self._content("strings" not in taken)
        left = {what: value for what, value in content.items() if what not in taken and value}
        built: list[Model] = []
        if left.keys() & {"kinds", "keep"}:
            built.append(self._model(declared("kinds"), {}, left))
        built += [self._model(told, given, content) for told, given in asked]
        if "terms" in left:
            built.append(self._model(declared(DEFAULT), {}, left))
        if left.keys() & {"words", "branches", "matchers"}:
            built.append(self._model(declared("denied"), {}, left))
        if flags := tuple(dict.fromkeys(pattern for p in self.protect for pattern in p.flag)):
            built.append(Flagged(lists={f"pattern {pattern}": Matcher(pattern=[pattern]) for pattern in flags}))
        bases: dict[str, Basis] = {}
        for entry in self.protect:
            for rule in entry.rules() if entry.basis != Basis() else ():
                bases.setdefault(rule, entry.basis)
        every = {p.basis for p in self.protect}
        other = every.pop() if len(every) == 1 else Basis()
        name = self.name if self.is_preset else ""
        # No other model may touch what is flagged: to take a mark away is not to decide about it.
        marked = replace(self.allow, pattern=(*self.allow.pattern, *flags))
        final = [
            Excepting(
                model=m,
                allow=self.allow if isinstance(m, Flagged) else marked,
                places=self.leave,
                bases=bases,
                other=other,
                policy=name,
            )
            for m in built
        ]
        if len(self.deny):
            denied = self._model(declared("denied"), {"lists": {"deny": self.deny}}, {})
            final.append(Excepting(model=denied, other=self.deny_basis, policy=name))
        if not final:
            raise PolicyError(
                f"the policy {self.name!r} protects nothing by itself; name what to protect: --protect TERM, "
                "or protect=[...] in Python, or [[protect]] in the file"
            )
        return tuple(final)

    def options(self) -> Options:
        """How files are to be read.

        >>> Policy.load("hipaa-safe-harbor").options().pictures
        'blank'
        """
        from taciturn.formats import Limits, Options

        return Options(
            limits=Limits(seconds=self.seconds, memory=self.memory * 2**20),
            columns=self.columns,
            declared=self.declared,
            pictures=self.pictures,
            unreadable=self.unreadable,
            keep_layout=self.keep_layout,
            boxes=self.boxes,
        )

    def _all(self, what: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(thing for p in self.protect for thing in getattr(p, what)))

    def _content(self, hide_lists: bool) -> dict[str, Any]:
        """What the policy protects, by what parameters take. ``hide_lists``: no model masks the strings of lists."""
        lists = self._all("lists")
        matchers = {f"list {name}": Matcher(exact=strings) for name, strings in lists if hide_lists}
        return {
            "terms": self._all("terms"),
            "words": self._all("words"),
            "branches": self._all("branches"),
            "strings": tuple(dict.fromkeys(s for _, strings in lists for s in strings)),
            "matchers": matchers | {f"pattern {p}": Matcher(pattern=[p]) for p in self._all("patterns")},
            "kinds": self._all("kinds"),
            "keep": {kind: level for p in self.protect for kind, level in p.keep.items()},
        }

    def _model(self, told: Declaration, given: Given, content: Given) -> Model:
        """The model with what the policy gives it: its own parameters, what is protected, what holds for all."""
        settings = {"style": self.style, "mark": self.mark, "unknown": self.unknown}
        filled = {p.name: {**content, **settings}.get(p.takes or "") for p in _open(told, given)}
        values = {name: value for name, value in filled.items() if value not in (None, (), {})} | dict(given)
        if told.needs and values.keys().isdisjoint(told.needs):
            fields = [_FIELDS[what] for p in told.parameters if (what := p.takes) in _FIELDS]
            raise PolicyError(
                f"the policy {self.name!r} names the model {told.name!r} but nothing for it to protect; add "
                + ("--protect TERM, protect=[...] in Python, or " if "terms" in fields else "")
                + f"[[protect]] with {' or '.join(fields)} in the file"
            )
        try:
            return told.make(values)
        except ValueError as error:
            raise PolicyError(f"the policy {self.name!r} cannot have the model {told.name!r}: {error}") from None


def _open(told: Declaration, given: Given) -> Iterator[Parameter]:
    """The parameters that a policy may fill: not given, and not excluded by one that is."""
    yield from (p for p in told.parameters if p.name not in given and not told.rivals(p.name) & given.keys())


def _takes(told: Declaration, given: Given) -> Iterator[str]:
    """What a model of the policy takes care of. Terms only where it keeps them from being inferred."""
    yield from (p.takes for p in _open(told, given) if p.takes and p.is_content and (p.takes != "terms" or told.infers))


def preset_names() -> tuple[str, ...]:
    """The presets that come with Taciturn.

    >>> "foia" in preset_names()
    True
    """
    folder = files("taciturn.policy").joinpath("presets")
    return tuple(sorted(p.name.removesuffix(".toml") for p in folder.iterdir() if p.name.endswith(".toml")))


def preset_text(name: str) -> str:
    """The file of a preset."""
    return files("taciturn.policy").joinpath("presets", f"{name}.toml").read_text("utf-8")


def _no_such(source: str, error: OSError) -> str:
    from difflib import get_close_matches

    near = get_close_matches(source, preset_names(), 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"the presets are {', '.join(preset_names())}"
    return f"{source!r} is no preset, and no policy file can be read there ({error.strerror}); {hint}"

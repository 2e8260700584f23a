"""Parameters: what can be said of a model's field beside its type and its default, and what can be read off these.

A parameter is declared where the field stands, as the field's metadata. Its type, default and limits are the same in
Python, on the command line, in policies and in the service, because all four are made from this one declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass
from math import isfinite
from numbers import Integral, Real
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from taciturn.models.base import as_terms
from taciturn.recognizers import all_kinds

__all__ = ["ACTION", "MARK", "UNKNOWN", "Action", "Content", "Load", "Parameter", "Setting", "Unknown", "parameter"]

Action = Literal["generalize", "redact"]
Unknown = Literal["keep", "redact"]

Content = Literal["terms", "words", "branches", "strings", "matchers", "kinds", "keep"]
"""What a policy protects: a parameter that takes one of these is filled from the policy's ``[[protect]]``."""
Setting = Literal["style", "mark", "unknown"]
"""What a policy says once for all of its models."""
Load: TypeAlias = Callable[[str, Mapping[str, Any]], Any]
"""How the command line turns the path that it is given into a value; it also gets the other parameters."""

_META = "taciturn"
_PLAIN = (bool, int, float, str, NoneType)


def parameter(
    says: str,
    *,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    below: float | None = None,
    absent: str = "",
    takes: Content | Setting | None = None,
    holds: Literal["concepts", "people", "kinds"] | None = None,
    option: str = "",
    letter: str = "",
    shorthand: tuple[str, str] | None = None,
    load: Load | None = None,
) -> dict[str, Any]:
    """The metadata of a dataclass field that is a parameter; without it a field is internal to its model.

    ``says``: the sentence that explains it. ``least``, ``most``: limits that a number may reach; ``above``, ``below``:
    limits that it may not. ``absent``: what None stands for. ``takes``: what of a policy fills it. ``holds``: what its
    terms are: names of concepts, of people, or kinds of terms. ``option``, ``letter``: its option on the command line
    where that is not its name, and a short form. ``shorthand``: an option without a value, and the value it stands
    for. ``load``: the option names a file, which this reads.
    """
    return {
        _META: {
            "says": says,
            "least": least,
            "most": most,
            "above": above,
            "below": below,
            "absent": absent,
            "takes": takes,
            "holds": holds,
            "option": option,
            "letter": letter,
            "shorthand": shorthand,
            "load": load,
        }
    }


ACTION = parameter(
    "What becomes of a term that must go: something more general in its place where there is such, or a mark.",
    takes="style",
    shorthand=("redact", "redact"),
)
UNKNOWN = parameter("What becomes of a term of which the knowledge knows nothing.", takes="unknown")
MARK = parameter(
    "How a redaction looks: what was there ([medication]), [REDACTED], [REDACTED 1], [PERSON 1], a block of fixed "
    "width, or a surrogate value.",
    takes="mark",
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared field of a model. ``plain`` are the types of the values that can be written without Python.

    >>> from taciturn.models import KSafe
    >>> from taciturn.models.declare import declaration_of
    >>> k = declaration_of(KSafe)["k"]
    >>> k.default, k.range, k.read("5")
    (3, '1 or more', 5)
    """

    name: str
    plain: tuple[Any, ...]
    default: Any
    says: str
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    absent: str = ""
    takes: Content | Setting | None = None
    holds: Literal["concepts", "people", "kinds"] | None = None
    option: str = ""
    letter: str = ""
    shorthand: tuple[str, str] | None = None
    load: Load | None = None

    @classmethod
    def of(cls, field: Field[Any], hint: Any) -> Parameter | None:
        """The parameter that a field declares; None for a field that is internal."""
        if _META not in field.metadata:
            return None
        default = field.default
        if default is MISSING and field.default_factory is not MISSING:
            default = field.default_factory()
        return cls(field.name, _plain(hint), default, **field.metadata[_META])

    @property
    def is_required(self) -> bool:
        return self.default is MISSING

    @property
    def is_content(self) -> bool:
        """Does it name what is protected, so that a policy's ``[[protect]]`` can fill it?"""
        return self.takes in get_args(Content)

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it can be, where it can be these alone."""
        return tuple(c for t in self.plain if get_origin(t) is Literal for c in get_args(t))

    @property
    def is_flag(self) -> bool:
        return bool in self.plain

    @property
    def is_listed(self) -> bool:
        """Can it have several values?"""
        return any(get_origin(t) in (list, dict) for t in self.plain)

    @property
    def is_plain(self) -> bool:
        """Can it be written without Python?"""
        return any(t is not NoneType for t in self.plain)

    @property
    def range(self) -> str:
        """The limits of a number, in words."""
        if self.least is not None and self.most is not None:
            return f"from {self.least:g} to {self.most:g}"
        low = f"{self.least:g} or more" if self.least is not None else ""
        low = f"more than {self.above:g}" if self.above is not None else low
        high = f"at most {self.most:g}" if self.most is not None else ""
        high = f"less than {self.below:g}" if self.below is not None else high
        return " and ".join(filter(None, (low, high)))

    @property
    def expected(self) -> str:
        """What it can be, in words."""
        said = []
        if int in self.plain or float in self.plain:
            kind = "a whole number" if float not in self.plain else "a number"
            said.append(f"{kind}, {self.range}" if self.range else kind)
        said += [repr(choice) for choice in self.choices]
        said += ["yes or no"] if self.is_flag else []
        said += ["a text"] if str in self.plain and not self.is_listed else []
        said += ["a list of texts"] if list[str] in self.plain else []
        said += ["texts by name" for t in self.plain if get_origin(t) is dict]
        return " or ".join(said) or "an object of Python"

    @property
    def standard(self) -> str:
        """The default, in words; empty where something must be given."""
        if self.is_required or self.default in ((), {}):
            return ""
        if self.default is None:
            return self.absent
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return str(self.default)

    def read(self, text: str) -> Any:
        """The value that somebody wrote as text, on a command line for example; ``ValueError`` if it cannot be one."""
        if self.is_flag:
            if text.lower() not in ("yes", "no", "true", "false"):
                raise ValueError(self._wrong(text))
            return text.lower() in ("yes", "true")
        for kind in (int, float):
            if kind in self.plain:
                try:
                    return kind(text)
                except ValueError:
                    continue
        if str in self.plain or list[str] in self.plain or text in self.choices:
            return text
        raise ValueError(self._wrong(text))

    def verified(self, value: Any) -> Any:
        """A value that was given in Python, in the form in which the model keeps it; ``ValueError`` if it cannot be.

        A string stands for one term, never for its letters. What no plain type describes is the model's own affair.
        """
        if isinstance(value, str) and list[str] in self.plain and str in self.plain:
            value = as_terms(value)
        if isinstance(value, str):
            if self.choices and str not in self.plain and value not in self.choices:
                raise ValueError(self._wrong(value))
            if not self.choices and str not in self.plain and self.is_plain:
                raise ValueError(self._wrong(value))
        elif isinstance(value, bool):
            if not self.is_flag:
                raise ValueError(self._wrong(value))
        elif isinstance(value, Real):
            if not self._is_number(value):
                raise ValueError(self._wrong(value))
        elif isinstance(value, Mapping):
            return MappingProxyType(dict(value))
        elif isinstance(value, Sequence) and list[str] in self.plain and str in self.plain:
            value = as_terms(value)
            if self.holds == "kinds":
                _verify_kinds(value)
        elif value is None and self.plain and NoneType not in self.plain:
            raise ValueError(self._wrong(value))
        return value

    def _is_number(self, value: Real) -> bool:
        if float not in self.plain and not (int in self.plain and isinstance(value, Integral)):
            return False
        number = float(value) if not isinstance(value, Integral) else int(value)
        return (
            isfinite(number if isinstance(number, float) else 0)
            and (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
            and (self.above is None or number > self.above)
            and (self.below is None or number < self.below)
        )

    def _wrong(self, value: object) -> str:
        is_number = isinstance(value, Real) and float in self.plain
        return f"{self.name} is {value!r}, but must be {self.range if is_number and self.range else self.expected}"


def _plain(hint: Any) -> tuple[Any, ...]:
    """The types of a hint whose values can be written in TOML, JSON or on a command line."""
    if get_origin(hint) in (Union, UnionType):
        return tuple(dict.fromkeys(t for member in get_args(hint) for t in _plain(member)))
    if hint in _PLAIN or get_origin(hint) is Literal:
        return (hint,)
    if get_origin(hint) is Sequence and get_args(hint) == (str,):
        return (list[str],)
    if get_origin(hint) is Mapping and get_args(hint)[1] in (str, float):
        return (dict[str, get_args(hint)[1]],)  # type: ignore[misc]
    return ()


def _verify_kinds(kinds: Sequence[str]) -> None:
    known = (*all_kinds(), "other")  # what no recognizer finds: words and noun phrases
    for kind in kinds:
        if kind not in known:
            raise ValueError(f"{kind!r} is no kind of term; choose from {', '.join(known)}")

"""What a client of the service asks for, strictly validated: the same words as the command line's options."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tacit.models import CSanitized, Informative, KAnonymous, KSafe, Model, PersonRelease, Related, TPlausible
from tacit.policy import Policy, preset_names

__all__ = ["Check", "Explain", "Protection", "Sanitize", "Terms", "build"]

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
Text = Annotated[str, StringConstraints(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Protection(_Strict):
    """What to protect, and how: a preset policy, or a model with its parameters."""

    protect: list[Name] = Field(default_factory=list, max_length=200, description="What must stay unsaid.")
    policy: Name | None = Field(None, description="A preset, instead of a model.", examples=["hipaa-safe-harbor"])
    model: Literal[
        "c-sanitized", "informative", "k-anonymous", "k-safe", "person-release", "related", "t-plausible"
    ] = "c-sanitized"
    alpha: float | None = Field(None, ge=0, le=1000, description="Reveal less than 1/alpha of an entity.")
    reveal: Name | None = Field(None, description="Instead of alpha: reveal at most what this says.")
    groups: int = Field(2, ge=1, le=4)
    context: Literal["sentence", "paragraph", "document"] = "sentence"
    w: float | None = Field(None, ge=0, le=1)
    t: int | None = Field(None, ge=1, le=2**62)
    k: int | None = Field(None, ge=1, le=10**6)
    branches: list[Name] = Field(default_factory=list, max_length=50)
    strings: list[Name] = Field(default_factory=list, max_length=100_000)
    redact: bool = False
    mark: Literal["redacted", "numbered", "kind", "block"] = "redacted"
    unknown: Literal["keep", "redact"] | None = None


class Sanitize(Protection):
    """A text to release."""

    text: Text
    report: bool = Field(False, description="Also send the private report, which quotes the original.")


class Check(Protection):
    """A text to check."""

    text: Text


class Explain(Protection):
    """A term to explain, or a text whose most revealing terms are explained."""

    term: Name | None = None
    text: Text | None = None
    most: int = Field(30, ge=1, le=500)


class Terms(_Strict):
    """A text to find terms in."""

    text: Text


def build(asked: Protection) -> Model | Policy:
    """The model or policy; ``ValueError`` if it cannot be.

    >>> build(Protection(protect=["HIV"], alpha=2.0)).name
    'c-sanitized'
    """
    if asked.policy is not None:
        return _policy(asked)
    protect = tuple(asked.protect)
    if not protect and asked.model not in ("k-anonymous", "k-safe"):
        raise ValueError("nothing to protect: name what must stay unsaid in `protect`")
    action = "redact" if asked.redact else "generalize"
    common: dict[str, Any] = {"action": action, "mark": asked.mark}
    if asked.unknown:
        common["unknown"] = asked.unknown
    match asked.model:
        case "c-sanitized":
            return CSanitized(
                protect=protect,
                alpha=asked.alpha,
                reveal=asked.reveal,
                groups=asked.groups,
                context=asked.context,
                **common,
            )
        case "informative":
            return Informative(beta=protect[0], **common)
        case "related":
            return Related(beta=protect[0], sensitive=protect[1:], w=asked.w, **common)
        case "person-release":
            return PersonRelease(protect=protect, mark=asked.mark)
        case "t-plausible":
            if asked.t is None:
                raise ValueError("`t-plausible` needs `t`: how many base texts at least")
            return TPlausible(sensitive=protect, t=asked.t)
        case "k-safe":
            if not protect and not asked.branches:
                raise ValueError("nothing to protect: name entities in `protect`, or `branches` of a taxonomy")
            kinds: dict[str, Any] = {"action": action, "mark": asked.mark}
            return KSafe(protected=protect, k=3 if asked.k is None else asked.k, branch=tuple(asked.branches), **kinds)
        case _:
            if not asked.strings:
                raise ValueError("`k-anonymous` needs `strings`: the list to mask")
            return KAnonymous(tuple(asked.strings), k=5 if asked.k is None else asked.k)


def _policy(asked: Protection) -> Policy:
    # Only presets: a name that a client sends must never open a file.
    if asked.policy not in preset_names():
        raise ValueError(f"{asked.policy!r} is no preset; the presets are {', '.join(preset_names())}")
    policy = Policy.load(asked.policy, asked.protect)
    policy.build()
    return policy

"""What a client of the service asks for, strictly validated: the parameters that the registered models declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from taciturn import registry
from taciturn.models.base import Model
from taciturn.models.declare import DEFAULT, declarations, declared
from taciturn.policy import Policy, preset_names
from taciturn.policy.schema import model_schema

__all__ = ["Check", "Explain", "Protection", "Sanitize", "Terms", "build"]

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
Text = Annotated[str, StringConstraints(min_length=1)]

_LARGEST = 2**62  # of a whole number
_LISTED = 100_000  # names in all that a request may list


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


def _with_parameters(schema: dict[str, Any]) -> None:
    """Add the parameters of all registered models to the schema of a request, with whose they are."""
    found: dict[str, list[dict[str, Any]]] = {}
    for told in declarations():
        made = model_schema(told.model, _Strict, Name, _LARGEST).model_json_schema()["properties"]
        for name, one in made.items():
            if name not in schema["properties"] and name != "name":
                one = {k: v for k, v in one.items() if k not in ("title", "default")}
                found.setdefault(name, []).append({**one, "description": f"{told.name}: {one['description']}"})
    schema["properties"] |= {name: ways[0] if len(ways) == 1 else {"anyOf": ways} for name, ways in found.items()}
    schema["properties"]["model"]["enum"] = list(registry.models)
    schema["additionalProperties"] = False


class Protection(BaseModel):
    """What to protect, and how: a preset policy, or a model with its parameters by name."""

    model_config = ConfigDict(extra="allow", strict=True, json_schema_extra=_with_parameters)

    protect: list[Name] = Field(default_factory=list, max_length=200, description="What must stay unsaid.")
    policy: Name | None = Field(None, description="A preset, instead of a model.", examples=["hipaa-safe-harbor"])
    model: Name = Field(DEFAULT, description="The model, where no policy is named.")

    @model_validator(mode="after")
    def _what_models_take(self) -> Self:
        """Nothing but what the policy or the model takes; messages quote no value, for it may be of a document."""
        given = self.parameters()
        if self.policy is not None:
            if given:
                raise ValueError(f"{min(given)!r} is not permitted beside a policy, which says it itself")
            return self
        if self.model not in registry.models:
            raise ValueError(f"there is no such model; choose from {', '.join(registry.models)}")
        told = declared(self.model)
        for name in given:
            if name not in told or not told[name].is_plain:
                raise ValueError(f"{name!r} is not permitted; the model {told.name!r} takes {', '.join(told.names)}")
        if sum(len(value) for value in given.values() if isinstance(value, list | dict)) > _LISTED:
            raise ValueError(f"more than {_LISTED:,} names are listed; send fewer")
        try:
            model_schema(told.model, _Strict, Name, _LARGEST)(**given)
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"{first['loc'][0]}: {first['msg']}") from None
        return self

    def parameters(self) -> dict[str, Any]:
        """The parameters of the model that were given; null stands for none."""
        return {name: value for name, value in (self.model_extra or {}).items() if value is not None}


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
    told = declared(asked.model)
    given: Mapping[str, Any] = asked.parameters()
    if asked.protect and "protect" not in told:
        raise ValueError(f"the model {told.name!r} takes no `protect`; it takes {', '.join(told.names)}")
    return told.make({**given, "protect": asked.protect} if asked.protect else given)


def _policy(asked: Protection) -> Policy:
    # Only presets: a name that a client sends must never open a file.
    if asked.policy not in preset_names():
        raise ValueError(f"{asked.policy!r} is no preset; the presets are {', '.join(preset_names())}")
    policy = Policy.load(asked.policy, asked.protect)
    policy.build()
    return policy

"""Presidio both ways: its recognizers feed Taciturn's models, and Taciturn's models work inside its engines.

:func:`detector` makes an analyzer's findings terms for a model (:class:`taciturn.models.detecting.Detecting`).
:class:`TaciturnRecognizer` finds, as one entity type, what a model would change; :class:`TaciturnOperator` puts
Taciturn's replacement there. Presidio runs no check of its own: ask :func:`taciturn.check` about its result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from presidio_analyzer import AnalysisExplanation, AnalyzerEngine, EntityRecognizer, RecognizerResult
from presidio_anonymizer.entities import OperatorConfig
from presidio_anonymizer.operators import Operator, OperatorType

from taciturn.knowledge import Knowledge
from taciturn.models.detecting import Detector
from taciturn.release import ModelsLike, Release, sanitize

__all__ = ["ENTITY", "KINDS", "TaciturnOperator", "TaciturnRecognizer", "detector"]

ENTITY = "TACITURN"
"""The entity type of what a model would change."""

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "PERSON": "person",
        "ORGANIZATION": "organization",
        "NRP": "organization",
        "LOCATION": "place",
        "DATE_TIME": "date",
        "AGE": "age",
        "EMAIL_ADDRESS": "email",
        "PHONE_NUMBER": "phone",
        "URL": "url",
        "IP_ADDRESS": "ip-address",
        "MAC_ADDRESS": "mac-address",
        "IBAN_CODE": "iban",
        "CREDIT_CARD": "payment-card",
        "CRYPTO": "account-number",
        "US_BANK_NUMBER": "account-number",
        "US_SSN": "national-id",
        "US_PASSPORT": "national-id",
        "US_ITIN": "tax-id",
        "US_DRIVER_LICENSE": "licence-number",
        "MEDICAL_LICENSE": "licence-number",
        "UK_NHS": "national-id",
        "UK_NINO": "national-id",
        "ID": "record-number",
    }
)
"""Taciturn's kind for each of Presidio's entity types; every other type is a ``code``."""


def detector(
    analyzer: AnalyzerEngine,
    *,
    entities: Sequence[str] | None = None,
    language: str = "en",
    threshold: float | None = None,
    kinds: Mapping[str, str] = KINDS,
) -> Detector:
    """What an analyzer finds, as spans of Taciturn's kinds.

    ``entities`` are the types to look for (None: all), ``threshold`` the least score (None: the analyzer's own)::

        model = Detecting(model=taciturn.Kinds(hide=["person", "code"]), detect=detector(AnalyzerEngine()))
        taciturn.sanitize(text, model)
    """

    def detect(text: str) -> Iterator[tuple[int, int, str]]:
        wanted = None if entities is None else list(entities)
        for r in analyzer.analyze(text, language=language, entities=wanted, score_threshold=threshold):
            yield r.start, r.end, kinds.get(r.entity_type, "code")

    return detect


class TaciturnRecognizer(EntityRecognizer):
    """Finds what Taciturn's models would change in a text, as entities of the type ``TACITURN``.

    A text for which no guarantee can be given raises :class:`taciturn.NotReleasedError`, as everywhere.
    """

    def __init__(
        self,
        models: ModelsLike,
        knowledge: Knowledge | None = None,
        *,
        entity: str = ENTITY,
        language: str = "en",
    ) -> None:
        self._models, self._knowledge, self._entity = models, knowledge, entity
        self._remember()
        super().__init__(supported_entities=[entity], supported_language=language, name="TaciturnRecognizer")

    def _remember(self) -> None:
        # The analyzer asks for the spans and then the operator for what is to stand there: one release serves both.
        self._release = lru_cache(maxsize=4)(self._new_release)

    def __getstate__(self) -> dict[str, Any]:
        """What is sent to another process (Spark broadcasts analyzers): no text that was seen here."""
        return {name: value for name, value in vars(self).items() if name != "_release"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._remember()

    def load(self) -> None:
        """Nothing to load: packs are mapped when first asked."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> list[RecognizerResult]:
        """The spans of the edits, with Taciturn's reasons as explanations."""
        if self._entity not in entities:
            return []
        return [
            RecognizerResult(
                self._entity,
                e.start,
                e.end,
                self.MAX_SCORE,
                AnalysisExplanation(self.name, self.MAX_SCORE, textual_explanation=e.reason),
                {
                    RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
                    RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                    "kind": e.kind,
                    "model": e.model,
                },
            )
            for e in self._release(text).edits
        ]

    def operator(self, text: str) -> OperatorConfig:
        """The operator that puts Taciturn's replacements into this text, for the entity type of this recognizer."""
        shown: dict[str, str] = {}
        for e in self._release(text).edits:
            # An operator is told what stood there, not where; if that had two replacements, neither is used.
            shown[e.original] = e.replacement if shown.get(e.original, e.replacement) == e.replacement else _MARK
        return OperatorConfig(TaciturnOperator.NAME, {"shown": shown})

    def _new_release(self, text: str) -> Release:
        return sanitize(text, self._models, self._knowledge)


_MARK = "[REDACTED]"


class TaciturnOperator(Operator):
    """Puts Taciturn's replacement in the place of what a recognizer found; what it does not know becomes a mark.

    Presidio may join entities or cut them where they overlap, so the text that comes here need not be one of
    Taciturn's."""

    NAME = "taciturn"

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """The replacement of an entity's text."""
        return str((params or {})["shown"].get(text, _MARK))

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Raise unless the parameters are those of :meth:`TaciturnRecognizer.operator`."""
        if not isinstance((params or {}).get("shown"), Mapping):
            raise ValueError("the operator 'taciturn' needs its replacements: use TaciturnRecognizer.operator(text)")

    def operator_name(self) -> str:
        return self.NAME

    def operator_type(self) -> OperatorType:
        return OperatorType.Anonymize

"""A spaCy component: ``nlp.add_pipe("taciturn", config={"protect": ["HIV"]})``.

It changes no token. What Taciturn would change stands in ``doc.spans["taciturn"]``, labelled by kind, and the
released text,
the edits and the certificate in ``doc._.taciturn``: plain data, so that documents can be stored and sent between
processes. Both quote the original: do not publish them. A text for which no guarantee can be given raises
:class:`taciturn.NotReleasedError`, which goes to the error handler of the pipeline.
"""

from __future__ import annotations

from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from taciturn.batch.work import knowledge_of
from taciturn.models import CSanitized, Model
from taciturn.policy import Policy
from taciturn.release import sanitize

__all__ = ["Component", "make"]

NAME = "taciturn"


class Component:
    """Releases the text of each document; the pack is opened once a process."""

    def __init__(self, models: Model | Policy, pack: str | None = None) -> None:
        self._models, self._pack = models, pack
        if not Doc.has_extension(NAME):
            Doc.set_extension(NAME, default=None)

    def __call__(self, doc: Doc) -> Doc:
        release = sanitize(doc.text, self._models, knowledge_of(self._pack))
        # Tokens are spaCy's: a span that ends inside one is shown whole.
        doc.spans[NAME] = [doc.char_span(e.start, e.end, label=e.kind, alignment_mode="expand") for e in release.edits]
        doc._.taciturn = {
            "text": release.text,
            "edits": release.report.to_json()["edits"],
            "certificate": release.certificate.to_json(),
        }
        return doc


@Language.factory(
    NAME,
    default_config={"policy": None, "protect": [], "alpha": None, "pack": None},
    assigns=["doc._.taciturn", "doc.spans"],
)
def make(
    nlp: Language, name: str, policy: str | None, protect: list[str], alpha: float | None, pack: str | None
) -> Component:
    """The component: a ``policy`` (a preset or a file), or C-sanitized that hides what is named in ``protect``."""
    if policy is not None and alpha is not None:
        raise ValueError("give policy or alpha, not both: a policy sets its own parameters")
    models: dict[str, Any] = {"protect": protect, "alpha": alpha}
    return Component(Policy.load(policy, protect) if policy is not None else CSanitized(**models), pack)

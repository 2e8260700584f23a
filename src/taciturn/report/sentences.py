"""Evidence in plain English: why an expression gives something away, in words an officer uses. Figures stay below."""

from __future__ import annotations

from taciturn.knowledge import Knowledge
from taciturn.knowledge.evidence import Said
from taciturn.language.keys import Key
from taciturn.plan import Edit

__all__ = ["conclusion", "sentence", "sentences", "why"]

_NAMED = {
    "its own words": "is what is protected",
    "label": "is {entity}, or a kind of it",
    "synonym": "is another name of {entity}, or of a kind of it",
    "entry term": "is another name of {entity}, or of a kind of it",
    "abbreviation": "is short for {entity}, or for a kind of it",
    "code": "is a code of {entity}",
    "brand": "is a brand of {entity}",
    "spelling": "is another spelling of {entity}",
    "derived": "is a form of the word {entity}",
    "translation": "is {entity} in another language",
}
_RELATED = {
    "treats": "is a treatment for {entity}",
    "measures": "measures or tests for {entity}",
    "monitors": "is used to monitor {entity}",
    "procedure for": "is a procedure for {entity}",
    "device for": "is a device for {entity}",
    "sign of": "is a sign of {entity}",
    "located in": "is where {entity} is found in the body",
    "caused by": "causes {entity}",
    "clinic for": "is where {entity} is treated",
    "gene of": "is a gene of {entity}",
    "described with": "stands in descriptions of {entity}",
    "contains": "contains a treatment for {entity}",
    "about": "is about {entity}",
    "related to": "is closely related to {entity}",
    "wider than": "is a wider word for {entity}",
}
_SHOWN = 3  # sources that a sentence names


def sentence(expression: str, entity: str, said: Said) -> str:
    """What one witness says, as a sentence.

    >>> sentence("zidovudine", "HIV", Said("relations", 8.8, "treats", ("Drugs@FDA",)))
    '"zidovudine" is a treatment for HIV (Drugs@FDA).'
    >>> sentence("viral load", "HIV", Said("counts", 6.8, together=13, alone=19))
    'Of 19 passages that mention "viral load", 13 also mention HIV.'
    """
    if said.witness == "counts":
        passages = "the one passage" if said.alone == 1 else f"{said.alone:,} passages"
        mention = "mentions" if said.together == 1 else "mention"
        return f'Of {passages} that mention "{expression}", {said.together:,} also {mention} {entity}.'
    if said.witness == "vectors":
        return f'Texts use "{expression}" much as they use {entity}.'
    told = (_NAMED if said.witness == "names" else _RELATED).get(said.says, "is one of the words for {entity}")
    by = f" ({', '.join(said.sources[:_SHOWN])})" if said.sources else ""
    return f'"{expression}" {told.format(entity=entity)}{by}.'


def sentences(expression: str, entity: str, knowledge: Knowledge, asked: Key | None = None) -> tuple[str, ...]:
    """What every witness says of an entity for an expression, who decides first; empty where nobody says anything.

    ``asked`` is the key under which the knowledge knows the expression, where that is known.
    """
    told = knowledge.evidence(entity, asked if asked is not None else expression)
    return tuple(sentence(expression, entity, said) for said in told)


def conclusion(share: float, limit: float) -> str:
    """What a reader would make of a share of all that there is to know, next to the share that is allowed.

    >>> conclusion(.95, .4), conclusion(.5, .4), conclusion(.1, .4)
    ('A reader would conclude it.', 'A reader would suspect it.', 'That is not enough to infer it.')
    """
    if share >= 0.75:
        return "A reader would conclude it."
    return "A reader would suspect it." if share >= limit else "That is not enough to infer it."


def why(edit: Edit, knowledge: Knowledge) -> str:
    """Why an edit was made, in plain English; the model's own reason where no witness was asked."""
    figures = edit.figures
    entity, asked = figures.get("entity"), figures.get("key")
    if entity is None or asked is None:
        return edit.reason
    told = sentences(str(asked), str(entity), knowledge)
    return " ".join(told) or edit.reason

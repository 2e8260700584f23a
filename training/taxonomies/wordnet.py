"""WordNet 3.0 nouns with instances, from the original data files (Debian's wordnet-base): no glosses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from taciturn.knowledge.taxonomies import Concept

# Upper concepts that say nothing to a reader of a replaced term, by the first word of the synset and its number there.
_EMPTY = set(
    """entity.1 physical_entity.1 abstraction.6 thing.12 object.1 whole.2 congener.3 matter.3 attribute.2 measure.2
    relation.1 psychological_feature.1 cause.1 causal_agent.1 artifact.1 living_thing.1 organism.1 group.1 location.1
    part.1 unit.6 set.1 state.2 communication.2 definite_quantity.1 cognition.1 happening.1 substance.1 material.1
    instrumentality.3 act.2 fundamental_quantity.1 temporary_state.1 negative_stimulus.1 imaginary_being.1 relative.2
    part.3 abstraction.1 content.5 process.6 genitor.1 progenitor.1 change_of_state.1 center.1 area.1
    region.3 theological_virtue.1 cardinal_virtue.1 good.2 morality.1 quality.1 person_of_color.1 capitalist.2 creator.2
    communicator.1 geographic_point.1 topographic_point.1 point.2 reproductive_structure.1 plant_part.1 plant_organ.1
    solid.1 solid.2 fluid.1 fluid.2 chordate.1 unfortunate.1 contact.4 organic_process.1 termination.5
    geological_formation.1 basic_cognitive_process.1 agent.2 agent.1 organic_phenomenon.1 physical_phenomenon.1
    natural_phenomenon.1 religious.1""".split()
)


def concepts(folder: Path, orders: Mapping[str, Sequence[str]] | None = None) -> Iterator[Concept]:
    """Every noun synset. Its label is its first word that means it in the first or second place, so that a reader
    understands it; where there is no such word ("seat" for a centre of authority), it is not readable.

    ``orders`` gives for some words their synsets in another order than WordNet's (see senses.py). Labels go by
    WordNet's own.
    """
    ranks = _sense_ranks(folder / "index.noun")
    with open(folder / "data.noun", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("  "):
                continue
            fields = line.split("|", 1)[0].split()
            offset, n_words = fields[0], int(fields[3], 16)
            words = [fields[4 + 2 * i] for i in range(n_words)]
            links = fields[5 + 2 * n_words :]
            kinds = [(links[4 * i], links[4 * i + 1]) for i in range(int(fields[4 + 2 * n_words]))]
            rank = {w: ranks[w.lower(), offset] for w in words}
            label = min(words, key=lambda w: (max(rank[w], 1), words.index(w)))
            order = {w: (orders or {}).get(w.replace("_", " ").lower(), ()) for w in words}
            yield Concept(
                offset,
                _text(label),
                tuple(target for kind, target in kinds if kind in ("@", "@i")),
                tuple((_text(w), order[w].index(offset) if offset in order[w] else rank[w]) for w in words),
                readable=rank[label] < 2 and f"{words[0]}.{rank[words[0]] + 1}" not in _EMPTY,
            )


def _text(word: str) -> str:
    return word.replace("_", " ")


def _sense_ranks(path: Path) -> dict[tuple[str, str], int]:
    """(word, synset) -> 0 for the word's first sense, 1 for its second ..."""
    ranks = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if not line.startswith("  "):
                fields = line.split()
                offsets = fields[-int(fields[2]) :]
                ranks.update({(fields[0], offset): i for i, offset in enumerate(offsets)})
    return ranks


def tag_counts(folder: Path) -> dict[tuple[str, str], int]:
    """(word, synset) -> how often WordNet's own corpus has the word in that sense."""
    offsets = {(word, rank): offset for (word, offset), rank in _sense_ranks(folder / "index.noun").items()}
    counts = {}
    with open(folder / "cntlist.rev", encoding="ascii") as lines:
        for line in lines:
            sense, number, count = line.split()
            word, kind = sense.split("%")
            offset = offsets.get((word, int(number) - 1))
            if kind.startswith("1:") and offset:
                counts[_text(word), offset] = int(count)
    return counts

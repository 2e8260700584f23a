"""Everything an adversary may know, in one value that models are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from taciturn import registry
from taciturn.knowledge.concept import Concept, UnknownTermError, find, shortened, understand
from taciturn.knowledge.counts.base import Counts
from taciturn.knowledge.counts.usual import Usual
from taciturn.knowledge.entities.base import ENTITIES_SUFFIX, EntityBase, PackedEntityBase
from taciturn.knowledge.evidence import Said, evidence
from taciturn.knowledge.lexicon import Lexicon
from taciturn.knowledge.matter import parts
from taciturn.knowledge.plugins import KnowledgeSource, added_sources, with_counts, with_sources
from taciturn.knowledge.relations.own import RELATION_SUFFIXES, OwnRelations, load_relations
from taciturn.knowledge.relations.shares import Shares
from taciturn.knowledge.taxonomies.base import Node, Taxonomy
from taciturn.knowledge.vectors import Vectors
from taciturn.knowledge.witnesses import Witnesses
from taciturn.language.keys import Key, key
from taciturn.language.lexicon import LEXICON

__all__ = ["Knowledge"]

LEXICON_FILE, SHARES_FILE, VECTORS_FILE, USUAL_FILE = "names.lexicon", "names.shares", "vectors.bin", "usual.bin"
_PAPERS = {"alpha": 1.5, "w": 0.6, "counts": 1.0}
_KEPT = 1 << 17  # keys whose generalizations are kept
_LINKS = LEXICON.word_set("function.link")


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Counts, taxonomies in order of priority, and entity bases by name.

    Knowledge is a corpus, not the world: a guarantee holds against a reader who knows what is in it.

    >>> knowledge = Knowledge.default()
    >>> knowledge.count("HIV") > knowledge.count("HIV", "syphilis") > 0
    True
    """

    counts: Counts
    taxonomies: tuple[Taxonomy, ...] = ()
    entities: Mapping[str, EntityBase] = field(default_factory=lambda: MappingProxyType({}))
    defaults: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    lexicon: Lexicon | None = None
    relations: Shares | None = None
    vectors: Vectors | None = None
    own_relations: tuple[OwnRelations, ...] = ()
    usual: Usual | None = None

    def calibrated(self, parameter: str) -> float:
        """The default of a model's parameter, calibrated on this corpus; the papers' value if it was not calibrated.

        The scale of mutual information depends on the corpus, so each corpus has its own defaults.

        >>> from taciturn.knowledge import ContextCounts
        >>> Knowledge(ContextCounts([])).calibrated("alpha"), Knowledge.default().calibrated("alpha") > 1.5
        (1.5, True)
        """
        return self.defaults.get(parameter, _PAPERS[parameter])

    @classmethod
    def open(cls, path: str | Path) -> Knowledge:
        """The knowledge of a pack, a folder that ``taciturn knowledge build`` has made, with what plug-ins add.

        The name of a plug-in's counts gives the embedded knowledge with those counts, a file of relations
        (:func:`~taciturn.knowledge.load_relations`) the embedded knowledge with those relations. Raises
        :class:`taciturn.knowledge.storage.pack.PackError` for a folder that is no sound pack of this version.

        >>> from taciturn.knowledge.storage.pack import embedded_pack
        >>> Knowledge.open(embedded_pack()).digest == Knowledge.default().digest
        True
        """
        if str(path) in registry.knowledge and not Path(path).exists():
            return with_counts(cls.default(), str(path))
        if Path(path).suffix.lower() in RELATION_SUFFIXES and Path(path).is_file():
            known = cls.default()
            return replace(known, own_relations=(*known.own_relations, load_relations(Path(path))))
        return with_sources(cls._open_pack(Path(path)))

    @classmethod
    def _open_pack(cls, path: Path) -> Knowledge:
        from taciturn.knowledge.counts.packed import PackCounts
        from taciturn.knowledge.storage.pack import open_pack
        from taciturn.knowledge.taxonomies import PackedTaxonomy
        from taciturn.knowledge.taxonomies.standard import PRIORITY
        from taciturn.knowledge.taxonomies.values import ValueTaxonomy

        pack = open_pack(path)
        names = sorted(pack.manifest["taxonomies"], key=lambda n: PRIORITY.index(n) if n in PRIORITY else len(PRIORITY))
        taxonomies = (PackedTaxonomy.open(pack.file(f"{name}.taxonomy")) for name in names)
        named = sorted(name for name in pack.manifest["files"] if name.endswith(ENTITIES_SUFFIX))
        bases = {name.removesuffix(ENTITIES_SUFFIX): PackedEntityBase.open(pack.file(name)) for name in named}
        has = pack.manifest["files"]
        lexicon = Lexicon.open(pack.file(LEXICON_FILE)) if LEXICON_FILE in has else None
        return cls(
            PackCounts(pack),
            (ValueTaxonomy(), *taxonomies),
            MappingProxyType(bases),
            pack.defaults,
            lexicon,
            Shares.open(pack.file(SHARES_FILE), lexicon) if lexicon is not None and SHARES_FILE in has else None,
            Vectors.open(pack.file(VECTORS_FILE)) if VECTORS_FILE in has else None,
            usual=Usual.open(pack.file(USUAL_FILE)) if USUAL_FILE in has else None,
        )

    @classmethod
    def default(cls) -> Knowledge:
        """The knowledge that comes with Taciturn: English, from Wikipedia, NIH answers and open taxonomies.

        Opened once in a process, with what plug-ins add.

        >>> Knowledge.default() is Knowledge.default()
        True
        """
        return _default(added_sources())

    @cached_property
    def digest(self) -> str:
        """A digest of every part, quoted by certificates.

        >>> len(Knowledge.default().digest)
        64
        """
        parts = [self.counts.digest, *(t.digest for t in self.taxonomies)]
        parts += [f"{name}:{self.entities[name].digest}" for name in sorted(self.entities)]
        parts += [str(part.digest) for part in self._witnessing if part is not None]
        parts += [f"relations:{own.digest}" for own in self.own_relations]
        return sha256("\n".join(parts).encode()).hexdigest()

    @property
    def _witnessing(self) -> tuple[Lexicon | Shares | Vectors | Usual | None, ...]:
        return self.lexicon, self.relations, self.vectors, self.usual

    # What people ask, in words as they write them

    def concept(self, text: str) -> Concept:
        """The concept that a text names: its label, key, synonyms and count.

        >>> Knowledge.default().concept("tb").label
        'tuberculosis'
        """
        return understand(text, self)

    def find(self, text: str) -> Key:
        """The key of what a text names. Raises :class:`UnknownTermError` if the corpus never mentions it.

        >>> Knowledge.default().find("Catholicism")
        'catholicism'
        """
        return find(text, self)

    def count(self, *texts: str) -> int:
        """The number of contexts that mention all the texts, by any synonym or hyponym; without a text, of all.

        It is 0 for a term of a taxonomy that the corpus never mentions. Raises :class:`UnknownTermError` for a term
        that neither the corpus nor a taxonomy has.

        >>> knowledge = Knowledge.default()
        >>> 0 < knowledge.count("HIV", "syphilis") < knowledge.count("hiv")
        True
        """
        return self.counts.count(*(self.concept(text).key for text in texts))

    def ic(self, *texts: str) -> float:
        """The information content of the texts, in bits: -log2 of the share of contexts in which all of them occur.

        >>> knowledge = Knowledge.default()
        >>> knowledge.ic("disease") < knowledge.ic("HIV")
        True
        """
        return self.counts.ic(*(self.find(text) for text in texts))

    def pmi(self, entity: str, *texts: str) -> float:
        """The pointwise mutual information of an entity and some terms together, in bits; -inf if they never co-occur.

        >>> knowledge = Knowledge.default()
        >>> knowledge.pmi("HIV", "zidovudine") > knowledge.pmi("HIV", "influenza")
        True
        """
        return self.counts.pmi(self.find(entity), *(self.find(text) for text in texts))

    def evidence(self, entity: str, expression: str) -> tuple[Said, ...]:
        """What each witness says of an entity for an expression, who decides first.

        >>> knowledge = Knowledge.default()
        >>> knowledge.evidence("HIV", "zidovudine")[0].witness
        'relations'
        """
        return evidence(self.witnesses, self.entity(entity), key(expression))

    def generalizations(self, text: str) -> tuple[Node, ...]:
        """The hypernyms of what a text names, most specific first, from the first taxonomy that has it.

        Empty for a word of the corpus that no taxonomy has.

        >>> [node.label for node in Knowledge.default().generalizations("March 1984")]
        ['1984', 'the 1980s', 'the 20th century']
        """
        known = self.concept(text).key
        taxonomy = self.taxonomy_of(known)
        return taxonomy.generalizations(known) if taxonomy else ()

    # What models ask, in keys

    @cached_property
    def witnesses(self) -> Witnesses:
        """What names, relations, counts and vectors say of entities.

        >>> from taciturn.language import key
        >>> knowledge = Knowledge.default()
        >>> knowledge.witnesses.information(key("HIV")) == knowledge.ic("HIV")
        True
        """
        return Witnesses(
            self.counts,
            self.lexicon,
            self.relations,
            self.vectors,
            self.taxonomies,
            self.calibrated("counts"),
            self.own_relations,
            self.usual,
        )

    @cached_property
    def of_counts(self) -> Knowledge:
        """The same knowledge with its counts as the only witness: S1 and S2 are defined by them.

        >>> Knowledge.default().of_counts.lexicon is None
        True
        """
        return replace(self, lexicon=None, relations=None, vectors=None, own_relations=(), usual=None)

    def entity(self, text: str) -> Key:
        """The key that stands for a protected text; with a lexicon nothing that a document can name is refused.

        What the counts never saw is protected by its names and relations, and what the lexicon has not either, by what
        it can only be short for, or by its own words.

        >>> knowledge = Knowledge.default()
        >>> knowledge.entity("Cervical Dysplasia"), knowledge.entity("hep C")
        ('cervical dysplasia', 'hepatitis c')
        """
        if (known := self._entities.get(text)) is None:
            known = self._entities[text] = self._entity(text)
        return known

    @cached_property
    def _entities(self) -> dict[str, Key]:
        return {}

    def _entity(self, text: str) -> Key:
        try:
            return self.find(text)
        except UnknownTermError:
            if self.lexicon is None or not (own := key(text)):
                raise
            if self.lexicon.senses(text) or (full := shortened(text, self)) is None:
                return own
            return full

    def entities_named(self, text: str) -> tuple[Key, ...]:
        """The keys of everything that a user's words name.

        >>> Knowledge.default().entities_named("HPV / cervical dysplasia")
        ('HPV', 'cervical dysplasia')
        """
        known = self.lexicon is None or bool(self.lexicon.senses(text))
        return tuple(dict.fromkeys(self.entity(part) for part in ((text,) if known else parts(text))))

    def taxonomy_of(self, key: Key) -> Taxonomy | None:
        """The first taxonomy, in order of priority, that knows a key.

        >>> from taciturn.language import key
        >>> taxonomy = Knowledge.default().taxonomy_of(key("syphilis"))
        >>> taxonomy.name if taxonomy else None
        'diseases'
        """
        return next((t for t in self.taxonomies if t.senses(key)), None)

    @cached_property
    def _above(self) -> dict[Key, tuple[Key, ...]]:
        return {}

    @cached_property
    def _beyond(self) -> dict[Key, tuple[Key, ...] | None]:
        return {}

    def above(self, key: Key) -> tuple[Key, ...]:
        """The keys of a key's hypernyms that occur in the corpus, most specific first.

        A term that the corpus never mentions still tells its hypernyms: a reader of "darunavir" learns "antiretroviral
        drug".

        >>> from taciturn.knowledge import ContextCounts, EdgeTaxonomy
        >>> drugs = EdgeTaxonomy("drugs", [("darunavir", "protease inhibitor"), ("protease inhibitor", "drug")])
        >>> Knowledge(ContextCounts([{"drug"}]), (drugs,)).above("darunavir")
        ('drug',)
        """
        if key not in self._above:
            self._find_above([key])
        return self._above[key]

    def beyond_counts(self, keys: Sequence[Key]) -> tuple[list[Key], dict[Key, tuple[Key, ...]]]:
        """Of some distinct keys, those that never occur in the corpus, and the hypernyms (:meth:`above`) of these.

        >>> Knowledge.default().beyond_counts(["darunavir", "HIV"])[0]
        ['darunavir']
        """
        beyond = self._beyond
        new = [k for k in keys if k not in beyond]
        if new:
            if len(beyond) + len(new) > _KEPT:
                beyond.clear()
                new = list(keys)
            counts = self.counts.table([], new)[0].tolist()
            ask = [k for k, n in zip(new, counts, strict=True) if not n]
            self._find_above(ask)
            beyond.update(dict.fromkeys(new))
            beyond.update((k, self._above[k]) for k in ask)
        unseen = [k for k in keys if beyond[k] is not None]
        return unseen, {k: above for k in unseen if (above := beyond[k])}

    def _find_above(self, new: list[Key]) -> None:
        """Look up the hypernyms of keys. Each taxonomy is asked for all keys at once, since it has few of them."""
        kept = self._above
        if len(kept) + len(new) > _KEPT:
            kept.clear()
        for taxonomy in self.taxonomies:
            known = [key for key, is_known in zip(new, taxonomy.knows(new), strict=True) if is_known]
            above = {key: [node.key for node in taxonomy.generalizations(key)] for key in known}
            every = list(dict.fromkeys(chain.from_iterable(above.values())))
            counts = dict(zip(every, self.counts.table([], every)[0].tolist(), strict=True))
            kept.update((key, tuple(k for k in keys if counts[k])) for key, keys in above.items())
            new = [key for key in new if key not in kept] if known else new
        kept.update(dict.fromkeys(new, ()))

    def resolve(self, key: Key) -> Key | None:
        """The longest part of a key that occurs in the corpus: the key itself, or its head with fewer modifiers.

        Modifiers are dropped from the left. The head of a phrase with "of" stands before it. None if no part occurs.

        >>> from taciturn.knowledge import ContextCounts
        >>> knowledge = Knowledge(ContextCounts([{"blood transfusion"}, {"disease"}]))
        >>> [knowledge.resolve(k) for k in ("massive blood transfusion", "disease of the ear", "zyx")]
        ['blood transfusion', 'disease', None]
        """
        words = key.split(" ")
        head = next((i for i, word in enumerate(words) if i and word in _LINKS), len(words))
        parts = [key, *(Key(" ".join(words[i:head])) for i in range(head))]
        known = self.counts.count_many([[part] for part in parts]) > 0
        return next((part for part, here in zip(parts, known, strict=True) if here), None)


@cache
def _default(sources: tuple[tuple[str, KnowledgeSource], ...]) -> Knowledge:
    """The embedded pack with these sources, which are all that are registered."""
    from taciturn.knowledge.storage.pack import embedded_pack

    return Knowledge.open(embedded_pack())

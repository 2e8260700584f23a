"""k-anonymous strings (Maeda, Suzuki, Nakamura 2016): keep every character that does not identify.

Each entry of a list that stands in the text is replaced by its mask: as many characters as possible are kept such that
at least k entries of the list, of the same length, still match. Where even a mask of nothing but ``*`` would fit fewer
than k entries, because so few have that length, a redaction mark takes its place, which shows no length.

A mask shows the length of what it hides, by design; ``collapse`` writes each run of ``*`` as one and hides it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar
from unicodedata import normalize

from taciturn.document import Document, Span
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis
from taciturn.models.base import Guarantee, Violation
from taciturn.models.declare import Dial, declare, parameter, verify
from taciturn.models.kanonymous.rows import Records, masked_fields, read_fields
from taciturn.models.kanonymous.text import Characters, characters
from taciturn.plan import Edit, Plan, apply, resolve
from taciturn.solvers.list_matches import glob_windows, longest_matches, masked_windows, outside
from taciturn.solvers.masks import MARK, Mask, MaskIndex

__all__ = ["KAnonymous"]

_REDACTED = "[REDACTED]"
_RUN = re.compile(rf"{re.escape(MARK)}+")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A place of a text where an entry or a mask of one stands, and how many entries it fits."""

    start: int
    end: int
    k: int


def _load(path: str, given: Mapping[str, Any]) -> Any:
    from taciturn.knowledge.termlist import load_list, load_rows

    return load_rows(path) if given.get("together") else load_list(path)


@declare(
    needs=("list",),
    dial=Dial("k", (2, 3, 5, 10, 20, 50), "at least k entries match a masked string"),
    by_row=True,
)
@dataclass(frozen=True, eq=False)
class KAnonymous:
    """Every entry of a list that stands in the text is masked so that at least k entries match what is left of it.

    ``list`` may also be a :class:`~taciturn.solvers.masks.MaskIndex`. With ``together`` it holds rows (name, town ...),
    and the fields of a row that stand in one record, a row of a table or a line of a text, are masked together, so
    that at least k rows match all of them at once. Entries are compared by code point after NFC: capitals matter.

    >>> from taciturn.document import Document
    >>> from taciturn.language import analyze
    >>> model = KAnonymous(["Smith", "Smyth", "Jones"], k=2)
    >>> plan = model.plan(analyze(Document.of("Ask Smith.")), None)
    >>> plan.edits[0].replacement
    'Sm*th'
    """

    name: ClassVar[str] = "k-anonymous"

    list: MaskIndex | Sequence[str] | Sequence[Sequence[str]] = field(
        metadata=parameter(
            "The strings to mask; as a file, one a line or an index, with together a CSV of rows.",
            takes="strings",
            load=_load,
        )
    )
    k: int = field(
        default=5,
        metadata=parameter("At least this many entries match a masked string, itself among them.", least=2, letter="k"),
    )
    collapse: bool = field(default=False, metadata=parameter("Hide lengths: write each run of * as one."))
    together: bool = field(
        default=False, metadata=parameter("The list holds rows of fields; k counts whole rows, record by record.")
    )
    exclude: str | Sequence[str] = field(
        default=(), metadata=parameter("Entries that are ordinary words (May, Rose) and stay.")
    )
    _index: MaskIndex | Records = field(init=False, repr=False)
    _excluded: frozenset[str] = field(init=False, repr=False)
    _masks: dict[str, Mask] = field(init=False, repr=False, default_factory=dict)
    _own_stars: bool = field(init=False, repr=False, default=False)

    def __post_init__(self) -> None:
        verify(self)
        object.__setattr__(self, "_excluded", frozenset(normalize("NFC", e) for e in self.exclude))
        object.__setattr__(self, "_index", _index_of(self.list, self.together))
        if self.together and self.collapse:
            raise ValueError("together and collapse cannot be combined: rows are compared field by field, with lengths")

    def bind(self, analysis: Analysis, knowledge: Knowledge | None) -> KAnonymous:
        """The model for one document: if its text holds no ``*``, every one that a later round meets is a mask's."""
        bound = copy(self)
        object.__setattr__(bound, "_own_stars", MARK not in analysis.document.text)
        return bound

    def plan(self, analysis: Analysis, knowledge: Knowledge | None) -> Plan:
        """The edits that mask every entry; the same entry always gets the same mask.

        What the masks show is read again as a reader would, together with the text around them; where a reader could
        still tell fewer than k entries apart, the mask gives way to a redaction mark.
        """
        document = analysis.document
        edits = {(e.start, e.end): e for e in self._masking(document)}
        while True:
            made = (e for e in edits.values() if e.replacement != e.original)
            plan = Plan(document, resolve(made, document))
            applied = apply(plan)
            faults = [r for r in self._readings(applied.document) if r.k < self.k]
            if not faults:
                return plan
            for fault in faults:
                touching = [
                    e
                    for e, (start, end) in zip(plan.edits, applied.spans, strict=True)
                    if start < fault.end and fault.start < end
                ]
                start = min([applied.to_original(fault.start), *(e.start for e in touching)])
                end = max([applied.to_original(fault.end - 1) + 1, *(e.end for e in touching)])
                edits[(start, end)] = self._redaction(document, start, end, fault.k)
                # The same entry gets the same mask, so what must go here goes everywhere.
                gone = {document.text[start:end], *(e.original for e in touching)}
                for span, e in tuple(edits.items()):
                    if e.original in gone:
                        edits[span] = self._redaction(document, *span, fault.k)

    def check(self, analysis: Analysis, knowledge: Knowledge | None, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Find entries and masks in a released text anew, by the text and the list alone, and count what they match."""
        document = analysis.document
        found = tuple(self._readings(document))
        violations = tuple(
            Violation(
                ((f.start, f.end),),
                f"{document.text[f.start : f.end]!r} fits {f.k} of the list, fewer than {self.k}",
                {"k": f.k},
            )
            for f in found
            if f.k < self.k
        )
        least = min((f.k for f in found), default=len(self._index))
        return Guarantee(
            self.name,
            (
                "the masked fields of each record fit at least k rows of the list together"
                if self.together
                else "each masked string fits at least k entries of the list, and no entry stands unmasked"
            )
            + ("" if self.collapse else "; a mask shows the length of what it hides"),
            not violations,
            float(least - self.k) if found else float(max(least - self.k, 0)),
            {
                "k": self.k,
                "collapse": int(self.collapse),
                "together": int(self.together),
                "excluded": len(self.exclude),
            },
            {
                "masks": len(found),
                "least k": least,
                "entries in the list": len(self._index),
                "list": self._index.digest,
            },
            (),
            violations,
        )

    def mask(self, entry: str) -> Mask:
        """The mask of one entry of the list.

        >>> KAnonymous(["Paris", "Parma", "Perth"], k=2).mask("Paris").pattern
        'Par**'
        """
        if isinstance(self._index, Records):
            raise ValueError("with together, fields are masked as rows: there is no mask of one entry")
        if entry not in self._masks:
            self._masks[entry] = self._index.mask(entry, self.k)
        return self._masks[entry]

    def _masking(self, document: Document) -> Iterator[Edit]:
        if isinstance(self._index, Records):
            for f in masked_fields(self._index, document, self.k, self._excluded, self._own_stars):
                if f.shown is None:
                    yield self._redaction(document, f.start, f.end, f.k)
                else:
                    yield self._mask_edit(document, (f.start, f.end), Mask(f.shown, f.k, f.shown.count(MARK)))
            return
        read = characters(document)
        matches = longest_matches(self._index, read.points, read.bounds, self._excluded)
        if self._own_stars:
            matches = outside(matches, [(s, e) for s, e, k in self._masked(read) if k >= self.k])
        for start, end in matches:
            found = self.mask(read.text(start, end))
            if found.k < self.k:
                yield self._redaction(document, *read.span(start, end), found.k)
            else:
                yield self._mask_edit(document, read.span(start, end), found)

    def _mask_edit(self, document: Document, span: Span, mask: Mask) -> Edit:
        return Edit(
            *span,
            document.text[span[0] : span[1]],
            _RUN.sub(MARK, mask.pattern) if self.collapse else mask.pattern,
            f"an entry of the list; {mask.k} {'rows' if self.together else 'entries'} fit what is left of it",
            self.name,
            "entry",
            {"k": mask.k, "masked": mask.masked, "length": len(mask.pattern), "optimal": int(mask.optimal)},
        )

    def _redaction(self, document: Document, start: int, end: int, k: int) -> Edit:
        reason = f"an entry of the list; a mask of it would fit only {k}"
        return Edit(start, end, document.text[start:end], _REDACTED, reason, self.name, "entry", {"k": k})

    def _readings(self, document: Document) -> Iterator[_Reading]:
        """Every entry (k = 1) and every mask in a text, with the number of entries that it fits."""
        if isinstance(self._index, Records):
            for start, end, k in read_fields(self._index, document, self._excluded, self.k):
                yield _Reading(start, end, k)
            return
        read = characters(document)
        masked = self._masked(read)
        for start, end, k in masked:
            yield _Reading(*read.span(start, end), k)
        plain = longest_matches(self._index, read.points, read.bounds, self._excluded)
        # What a mask keeps may be an entry itself ("*** York"): as a part of the mask it says no more than the mask.
        for start, end in outside(plain, [(s, e) for s, e, _ in masked]):
            if MARK not in read.text(start, end):
                yield _Reading(*read.span(start, end), 1)

    def _masked(self, read: Characters) -> Sequence[tuple[int, int, int]]:
        assert isinstance(self._index, MaskIndex)
        if self.collapse:
            return glob_windows(self._index, read.points, read.bounds, self.k)
        return masked_windows(self._index, read.points, read.bounds)


def _index_of(given: Any, together: bool) -> MaskIndex | Records:
    if isinstance(given, (MaskIndex, Records)):
        if isinstance(given, Records) != together:
            raise ValueError("together goes with rows of fields, and only with them")
        return given
    if isinstance(given, str):
        raise ValueError(f"the list is the one string {given[:30]!r}; give a list of strings, or a MaskIndex")
    return Records(given) if together else MaskIndex(given)

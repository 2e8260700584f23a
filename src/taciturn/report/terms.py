"""What Taciturn sees in a text: the terms in colour by kind, with a legend; and the same for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taciturn.language.analysis import Analysis
from taciturn.recognizers import family

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["render_terms", "terms_json"]

_STYLES = {
    "person": "bold magenta",
    "organization": "bold blue",
    "place": "bold green",
    "time": "bold yellow",
    "quantity": "bold cyan",
    "code": "bold red",
    "other": "underline",
}
_MOST_MENTIONS = 40


def terms_json(analysis: Analysis) -> list[dict[str, Any]]:
    """The terms as values that JSON can hold, in order.

    >>> from taciturn.document import Document, Term
    >>> terms_json(Analysis(Document.of("HIV"), (), (), (Term(0, 3, "HIV", "HIV"),)))
    [{'start': 0, 'end': 3, 'text': 'HIV', 'key': 'HIV', 'kind': 'other', 'family': 'other', 'mention': 0}]
    """
    return [
        {
            "start": term.start,
            "end": term.end,
            "text": term.text,
            "key": term.key,
            "kind": term.kind,
            "family": family(term.kind),
            "mention": term.mention,
        }
        for term in analysis.terms
    ]


def render_terms(analysis: Analysis) -> RenderableType:
    """The text with its terms in colour, a legend with how many of each kind, and the mentions that belong together."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    # A text may hold control characters and lone surrogates, which a terminal must not be sent; one stands for one.
    shown = "".join(c if c in "\n\t" or c.isprintable() else "�" for c in analysis.document.text)
    painted = Text(shown.rstrip("\n"), no_wrap=False)
    counts: dict[str, dict[str, int]] = {}
    mentions: dict[int, dict[str, int]] = {}
    for term in analysis.terms:
        coarse = family(term.kind)
        painted.stylize(_STYLES.get(coarse, _STYLES["other"]), term.start, term.end)
        kinds = counts.setdefault(coarse, {})
        kinds[term.kind] = kinds.get(term.kind, 0) + 1
        if term.mention:
            forms = mentions.setdefault(term.mention, {})
            written = shown[term.start : term.end]
            forms[written] = forms.get(written, 0) + 1

    legend = Table("kind", "terms", "of which", box=None, header_style="bold", pad_edge=False)
    for coarse in [*_STYLES, *sorted(set(counts) - set(_STYLES))]:
        if coarse in counts:
            fine = ", ".join(f"{kind} {n}" for kind, n in sorted(counts[coarse].items()) if kind != coarse)
            name = Text(coarse, style=_STYLES.get(coarse, _STYLES["other"]))
            legend.add_row(name, str(sum(counts[coarse].values())), fine)
    parts: list[RenderableType] = [painted, Text(), legend]
    if mentions:
        together = Table("mention", "written", box=None, header_style="bold", pad_edge=False)
        for number in sorted(mentions)[:_MOST_MENTIONS]:
            forms = mentions[number]
            together.add_row(str(number), Text(", ".join(f"{form} ({n})" for form, n in forms.items())))
        if len(mentions) > _MOST_MENTIONS:
            together.add_row("...", f"and {len(mentions) - _MOST_MENTIONS} more; --json lists all")
        parts += [Text(), together]
    return Group(*parts)

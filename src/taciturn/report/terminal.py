"""What the command line shows: the text before and after in colour, the edits, the certificate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from taciturn.certificate import Certificate
from taciturn.document import Span
from taciturn.knowledge.understood import Understood
from taciturn.report.explain import Explanation

if TYPE_CHECKING:
    from taciturn.release import Release

__all__ = [
    "certificate_panel",
    "edits_table",
    "explanation_view",
    "ranking_table",
    "side_by_side",
    "summary",
    "understood_view",
]


def side_by_side(release: Release) -> RenderableType:
    """Before and after: what went in red, what stands in its place in green."""
    original = release.applied.plan.document.text
    before = _painted(original, [e.span for e in release.edits], "bold red strike")
    after = _painted(release.text, release.applied.spans, "bold green")
    return Group(Panel(before, title="before", border_style="red"), Panel(after, title="after", border_style="green"))


def _painted(text: str, spans: Iterable[Span], style: str) -> Text:
    painted = Text(text.rstrip("\n"))
    for start, end in spans:
        painted.stylize(style, start, end)
    return painted


def edits_table(release: Release, most: int = 40) -> RenderableType:
    """Each distinct edit once, with its reason and how often it was made."""
    table = Table("original", "released as", "times", "reason", box=None, header_style="bold", pad_edge=False)
    rows: dict[tuple[str, str, str], int] = {}
    for edit in release.edits:
        row = (edit.original, edit.replacement, edit.reason)
        rows[row] = rows.get(row, 0) + 1
    for (original, replacement, reason), times in list(rows.items())[:most]:
        table.add_row(f"[red]{escape(original)}[/]", f"[green]{escape(replacement)}[/]", str(times), escape(reason))
    if len(rows) > most:
        table.add_row(f"... and {len(rows) - most} more", "", "", "see --report")
    return table


def certificate_panel(certificate: Certificate, *, failures: int = 10) -> RenderableType:
    """The certificate in words and figures."""
    parts: list[RenderableType] = []
    for g in certificate.guarantees:
        verdict = "[bold green]holds[/]" if g.holds else "[bold red]does not hold[/]"
        grid = Table.grid(padding=(0, 2))
        for name, value in (*g.parameters.items(), *g.figures.items()):
            shown = f"{value:.4g}" if isinstance(value, float) else str(value)
            grid.add_row(f"[dim]{escape(name)}[/]", escape(shown))
        parts += [f"{escape(g.model)}: {verdict}", escape(f"Guarantee: {g.statement}."), grid]
        parts += [f"[red]- {escape(v.message)}[/]" for v in g.violations[:failures]]
        if len(g.violations) > failures:
            parts.append(f"[red]- and {len(g.violations) - failures} more[/]")
    digests = f"text {certificate.text_digest[:16]}, knowledge {certificate.knowledge_digest[:16]}"
    parts.append(f"[dim]{digests}. Knowledge is a corpus, not the world.[/]")
    style = "green" if certificate.holds else "red"
    return Panel(Group(*parts), title="certificate", border_style=style)


def summary(release: Release) -> str:
    """One line: what was changed, what is kept, whether the guarantee holds."""
    marked = sum(1 for e in release.edits if "[" in e.replacement or "█" in e.replacement)
    many = len(release.edits)
    return (
        f"{many} edit{'s' * (many != 1)} ({many - marked} generalized, {marked} redacted), "
        f"{release.report.utility:.0%} of the information kept, "
        f"{release.report.words_changed:.0%} of the words changed; "
        f"the guarantee {'holds' if release.certificate.holds else 'DOES NOT HOLD'}"
    )


def explanation_view(explanation: Explanation) -> RenderableType:
    """The figures of one term, its ladder, and the verdict."""
    figures = Table(
        "entity", "judged as", "n(entity)", "n(term)", "n(both)", "IC(entity)", "IC(term)", "PMI", "limit", "share",
        box=None, header_style="bold", pad_edge=False,
    )  # fmt: skip
    for r in explanation.rows:
        colour = "red" if r.risky else "green"
        figures.add_row(
            escape(r.entity), escape(r.key), f"{r.count_entity:,}", f"{r.count_term:,}", f"{r.count_both:,}",
            f"{r.ic_entity:.2f}", _bits(r.ic_term), f"[{colour}]{_bits(r.pmi)}[/]", f"{r.limit:.2f}",
            f"[{colour}]{r.share:.0%}[/]",
        )  # fmt: skip
    heard = Table("entity", "witness", "says", "PMI", "sources", box=None, header_style="bold", pad_edge=False)
    for r in explanation.rows:
        for t in r.testimonies:
            heard.add_row(escape(r.entity), t.witness, escape(t.says), _bits(t.bits), escape(", ".join(t.sources)))
    rungs = Table("rung", "from", "IC", "share", "verdict", box=None, header_style="bold", pad_edge=False)
    for s in explanation.steps:
        verdict = "[green]safe[/]" if s.safe else "[red]no[/]"
        rungs.add_row(escape(s.label), escape(s.source), _bits(s.ic), f"{s.share:.0%}", verdict)
    head = f"[bold]{escape(explanation.text)}[/]: {escape(explanation.verdict)}"
    told = [escape(sentence) for sentence in explanation.told]
    tables = [t for t in (figures, heard, rungs) if t.row_count]
    return Group(head, *told, *(part for table in tables for part in ("", table)))


def _bits(value: float) -> str:
    return f"{value:.2f}" if abs(value) != float("inf") else "-"


def ranking_table(explanations: Sequence[Explanation]) -> RenderableType:
    """The most revealing terms of a document."""
    table = Table("term", "mentions", "entity", "PMI", "limit", "share", "verdict", box=None, header_style="bold")
    for e in explanations:
        r = max(e.rows, key=lambda row: row.share)
        colour = "red" if e.risky else "yellow" if e.groups else "green"
        table.add_row(
            f"[{colour}]{escape(e.text)}[/]", str(e.mentions), escape(r.entity), _bits(r.pmi), f"{r.limit:.2f}",
            f"{e.share:.0%}", escape(e.verdict),
        )  # fmt: skip
    return table


def understood_view(found: Understood) -> RenderableType:
    """What was understood by a protected text: the concept, what is known of it, and what to say otherwise."""
    grid = Table.grid(padding=(0, 2))
    for what, number, examples in found.rows():
        grid.add_row(f"[dim]{escape(what)}[/]", number, escape(examples))
    head = f"[bold]{escape(found.text)}[/]: {escape(found.meaning)}"
    return Group(head, grid, *(f"[yellow]- {escape(sentence)}[/]" for sentence in found.advice))

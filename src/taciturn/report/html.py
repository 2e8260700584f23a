"""The private report as one HTML file: the document in colour with a card for each edit, the risk before and after, the
graph of what reveals what, the certificate. No script, nothing loaded from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import cos, pi, sin
from typing import TYPE_CHECKING

from taciturn.formats import Inventory
from taciturn.generalize.writing import MARK
from taciturn.knowledge.understood import Understood
from taciturn.models.indistinct import Indistinct
from taciturn.models.names import inner_model
from taciturn.plan import Edit
from taciturn.report.guesses import pictures

if TYPE_CHECKING:
    from taciturn.certificate import Certificate
    from taciturn.release import Release, Report
    from taciturn.tables import RowEdit

__all__ = ["release_html", "report_page", "table_page"]

_STYLE = """
:root{color-scheme:light dark;--gone:#b3261e;--kept:#0b6e4f;--soft:#8883;--ground:#fff;--ink:#1c1c1e}
@media (prefers-color-scheme:dark){:root{--gone:#ff8a80;--kept:#7bd8b0;--ground:#1b1b1d;--ink:#e8e8ea}}
body{font:16px/1.6 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;max-width:62rem;margin:2rem auto;
padding:0 1rem;background:var(--ground);color:var(--ink)}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}
.private{border:2px solid var(--gone);padding:.5rem .8rem;border-radius:.4rem;font-weight:600}
.text{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--soft);border-radius:.4rem;padding:1rem}
.edit{position:relative;border-bottom:2px solid var(--kept);cursor:help}
.edit del{color:var(--gone)}.edit ins{color:var(--kept);text-decoration:none;font-weight:600}
.edit.mark{border-color:var(--ink)}.edit.mark ins{color:var(--ink)}
.card{display:none;position:absolute;z-index:2;left:0;top:1.6em;width:22rem;max-width:80vw;background:var(--ground);
border:1px solid var(--soft);box-shadow:0 .3rem 1rem #0004;border-radius:.4rem;padding:.6rem .8rem;font-size:13px;
line-height:1.4;white-space:normal}
.edit:hover .card,.edit:focus .card,.edit:focus-within .card{display:block}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem;border-bottom:1px solid var(--soft);text-align:left;vertical-align:top}
.holds{color:var(--kept);font-weight:700}.fails{color:var(--gone);font-weight:700}
.bars{position:relative;width:28rem;max-width:60vw;padding:.25rem 0}
.bar{display:flex;align-items:center;gap:.4rem;font-size:12px;line-height:1.1}
.limit{position:absolute;top:0;bottom:0;border-left:2px dashed var(--ink)}
.bar i{display:block;height:.65rem;border-radius:2px}i.before{background:var(--gone)}i.after{background:var(--kept)}
b.before{color:var(--gone)}b.after{color:var(--kept)}
svg{max-width:100%;height:auto}.graph text{font:12px system-ui,sans-serif;fill:var(--ink);
paint-order:stroke;stroke:var(--ground);stroke-width:4px}
.graph line{stroke:#8889}.graph circle{fill:var(--gone)}.graph .entity{fill:var(--kept)}
"""


_PRIVATE = "Private: this report quotes the original text. Do not publish it."
_FULL = 92  # per cent of a chart's width for the longest bar; the rest is for its figure
_SHARE = re.compile(r"(largest|allowed) share of entity ([1-9][0-9]*)")
_SHARES = {"largest": "most that anything left reveals of", "allowed": "less must be revealed of"}
_CARD = {
    "ic": "bits the term says",
    "ic_kept": "bits that are kept",
    "rung": "replacement from",
    "key": "judged by",
    "pmi": "bits of the entity revealed",
    "limit": "limit",
    "count": "contexts with it",
    "pmi_kept": "bits revealed now",
    "group": "together",
    "support": "contexts with all",
}


def release_html(release: Release) -> str:
    """A release as a notebook shows it: the text with its edits, and the certificate."""
    body = f'<div class="text">{_document(release.report)}</div>{_certificate(release.certificate)}'
    return f"<style>{_STYLE}</style>{body}"


def report_page(
    report: Report, name: str = "", record: Sequence[tuple[str, str]] = (), *, file: Inventory | None = None
) -> str:
    """The whole report as a page that stands alone. ``record``: the decisions of a review, with their times. ``file``:
    what happened to the file the text stood in."""
    edits = report.edits
    marked = sum(1 for e in edits if MARK.search(e.replacement))
    title = f"Taciturn report: {name}" if name else "Taciturn report"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="private">{_PRIVATE}</p>',
        f"<p>{len(edits)} edits ({len(edits) - marked} generalized, {marked} redacted), "
        f"{report.utility:.1%} of the information kept, {report.words_changed:.1%} of the words changed.</p>",
        _understood(report.understood),
        _guesses(report),
        _certificate(report.certificate),
        f"<h2>The document</h2><p>Hover over, or tab to, an edit for its evidence.</p>"
        f'<div class="text">{_document(report)}</div>',
        _charts(edits),
        _table(edits),
        _record(record),
        _file(file) if file else "",
    ]
    return f"{_head(title)}{''.join(parts)}</body></html>"


def _head(title: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
    )


def table_page(
    name: str, certificate: Certificate, edits: Iterable[RowEdit], file: Inventory, understood: Sequence[Understood]
) -> Iterator[str]:
    """The report of a table, piece by piece: every edit with its row, its column and the reason for it."""
    title = f"Taciturn report: {name}"
    yield _head(title)
    yield f'<h1>{escape(title)}</h1><p class="private">{_PRIVATE}</p>{_understood(understood)}'
    yield f"{_certificate(certificate)}<h2>Edits</h2>"
    yield '<div class="scroll"><table><tr><th>row<th>column<th>original<th>released as<th>reason</tr>'
    for row, column, edit in edits:
        cells = (str(row), column, edit.original, edit.replacement, _sentence(edit.reason))
        yield f"<tr>{''.join(f'<td>{escape(cell)}' for cell in cells)}</tr>"
    yield f"</table></div>{_file(file)}</body></html>"


def _document(report: Report) -> str:
    text = report.applied.plan.document.text
    pieces, at = [], 0
    for edit in report.edits:
        pieces.append(escape(text[at : edit.start]))
        is_mark = " mark" if MARK.search(edit.replacement) else ""
        pieces.append(
            f'<span class="edit{is_mark}" tabindex="0"><del>{escape(edit.original)}</del> '
            f"<ins>{escape(edit.replacement)}</ins>"
            f'<span class="card" role="tooltip">{_card(edit)}</span></span>'
        )
        at = edit.end
    pieces.append(escape(text[at:]))
    return "".join(pieces)


def _card(edit: Edit) -> str:
    rows = "".join(
        f"<tr><th>{escape(_CARD.get(k, k))}</th><td>{escape(str(v))}</td></tr>" for k, v in edit.figures.items()
    )
    return f"{escape(_sentence(edit.reason))}<table>{rows}</table>"


def _certificate(certificate: Certificate) -> str:
    parts = ["<h2>Certificate</h2>"]
    for g in certificate.guarantees:
        verdict = '<span class="holds">holds</span>' if g.holds else '<span class="fails">does not hold</span>'
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>"
            for name, value in (_figure(k, v, g.protected) for k, v in (*g.parameters.items(), *g.figures.items()))
        )
        parts.append(f"<p>{escape(g.model)}: {verdict}. {escape(_sentence(g.statement))}</p><table>{rows}</table>")
    digests = f"Text {certificate.text_digest[:16]}, knowledge {certificate.knowledge_digest[:16]}."
    parts.append(f"<p>{digests} Knowledge is a corpus, not the world.</p>")
    return "".join(parts)


def _understood(found: Sequence[Understood]) -> str:
    """What the protected terms were understood as, what is known of each, and what else they may mean."""
    parts = ["<h2>What was understood</h2>"] if found else []
    for one in found:
        rows = "".join(
            f"<tr><th>{escape(what)}</th><td>{number}</td><td>{escape(examples)}</td></tr>"
            for what, number, examples in one.rows()
        )
        advice = "".join(f"<li>{escape(sentence)}</li>" for sentence in one.advice)
        parts.append(f"<p>{escape(one.text)}: {escape(_sentence(one.meaning))}</p><table>{rows}</table>")
        parts.append(f"<ul>{advice}</ul>" if advice else "")
    return "".join(parts)


def _guesses(report: Report) -> str:
    """What a reader would guess before and after, where a model bounds that, and what still speaks for the matter."""
    if not any(isinstance(inner_model(model), Indistinct) for model in report.models):
        return ""
    found = pictures(report.original, report.released, report.applied, report.models, report.knowledge)
    parts = ["<h2>What a reader would guess</h2>"] if found else []
    for one in found:
        rows = "".join(
            f"<tr><td>{escape(a.name)}</td><td>{'said openly' if a.said else f'{a.share:.1%}'}</td>"
            f"<td>{escape(b.name)}</td><td>{'said openly' if b.said else f'{b.share:.1%}'}</td></tr>"
            for a, b in zip(one.before, one.after, strict=False)
        )
        left = "; ".join(f"{escape(text)} ({bits:.1f} bits)" for text, bits in one.speaks[:10]) or "nothing"
        parts.append(
            f"<p>{escape(one.entity)}: place {one.rank_before} of {one.candidates} in the original, place "
            f"{one.rank_after} in the release.</p><table><tr><th>before</th><th></th><th>after</th><th></th></tr>"
            f"{rows}</table><p>What still speaks for it: {left}.</p>"
        )
    return "".join(parts)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""


def _figure(name: str, value: object, protected: Sequence[str]) -> tuple[str, str]:
    """A figure of a certificate for people: shares in per cent, and entities by name, for the report is private."""
    if found := _SHARE.fullmatch(name):
        number = int(found.group(2))
        entity = protected[number - 1] if number <= len(protected) else f"entity {number}"
        name = f"{_SHARES[found.group(1)]} {entity}"
        return name, f"{value:.1%}" if isinstance(value, float) else str(value)
    return name, f"{value:.4g}" if isinstance(value, float) else str(value)


def _distinct(edits: Sequence[Edit]) -> list[Edit]:
    """One edit a key and entity, the most revealing first; only those that carry mutual information."""
    rows: dict[tuple[object, object], Edit] = {}
    for e in edits:
        if "pmi" in e.figures:
            rows.setdefault((e.figures.get("key", e.original), e.figures.get("entity")), e)
    return sorted(rows.values(), key=lambda e: -float(e.figures["pmi"]))


def _charts(edits: Sequence[Edit], most: int = 14) -> str:
    rows = _distinct(edits)[:most]
    if not rows:
        return ""
    longest = max(float(e.figures["pmi"]) for e in rows)
    limits = {e.figures["entity"]: float(e.figures["limit"]) for e in edits if {"entity", "limit"} <= e.figures.keys()}
    bars = "".join(
        f"<tr><th>{escape(str(e.figures.get('group', e.figures.get('key', e.original))))}</th><td class='bars'>"
        f"{_bar(float(e.figures['pmi']), longest, 'before')}"
        f"{_bar(float(e.figures.get('pmi_kept', 0)), longest, 'after')}"
        f"{_limit(limits.get(e.figures.get('entity', ''), 0.0), longest)}</td></tr>"
        for e in rows
    )
    legend = (
        '<p>Bits of the entity that each term reveals, <b class="before">before</b> and <b class="after">after</b>. '
        "The dashed line is the limit.</p>"
    )
    return f"<h2>Risk before and after</h2>{legend}<table>{bars}</table><h2>What reveals what</h2>{_graph(rows)}"


def _bar(bits: float, longest: float, name: str) -> str:
    width = _FULL * max(bits, 0.0) / max(longest, 1e-9)
    return f'<div class="bar"><i class="{name}" style="width:{width:.1f}%"></i><span>{bits:.1f}</span></div>'


def _limit(bits: float, longest: float) -> str:
    left = _FULL * bits / max(longest, 1e-9)
    return f'<i class="limit" style="left:{left:.1f}%"></i>' if 0 < left < 100 else ""


def _graph(rows: Sequence[Edit]) -> str:
    """Entities in the middle, terms around them, a thicker line the more a term reveals; groups are joined."""
    entities = list(dict.fromkeys(str(e.figures["entity"]) for e in rows if "entity" in e.figures))
    if not entities:
        return ""
    middle = {name: (360 + 60 * (i - (len(entities) - 1) / 2), 190.0) for i, name in enumerate(entities)}
    strongest = max(float(e.figures["pmi"]) for e in rows)
    shapes, labels = [], []
    for i, edit in enumerate(rows):
        if "entity" not in edit.figures:
            continue
        angle = 2 * pi * i / len(rows)
        x, y = 360 + 250 * cos(angle), 190 + 150 * sin(angle)
        cx, cy = middle[str(edit.figures["entity"])]
        width = 1 + 4 * max(float(edit.figures["pmi"]), 0) / max(strongest, 1e-9)
        dashed = ' stroke-dasharray="5 4"' if "group" in edit.figures else ""
        shapes.append(
            f'<line x1="{cx:.0f}" y1="{cy:.0f}" x2="{x:.0f}" y2="{y:.0f}" stroke-width="{width:.1f}"{dashed}/>'
        )
        shapes.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="5"/>')
        anchor = "start" if cos(angle) > 0.2 else "end" if cos(angle) < -0.2 else "middle"
        shift = 10 if anchor == "start" else -10 if anchor == "end" else 0
        name = str(edit.figures.get("group", edit.figures.get("key", edit.original)))[:26]
        at = f'x="{x + shift:.0f}" y="{y + (18 if sin(angle) > 0 else -9):.0f}"'
        labels.append(f'<text {at} text-anchor="{anchor}">{escape(name)}</text>')
    for name, (x, y) in middle.items():
        shapes.append(f'<circle class="entity" cx="{x:.0f}" cy="{y:.0f}" r="9"/>')
        labels.append(
            f'<text x="{x:.0f}" y="{y + 26:.0f}" text-anchor="middle" font-weight="700">{escape(name)}</text>'
        )
    note = "Dashed lines: terms that reveal the entity only together."
    return (
        f'<svg class="graph" viewBox="-90 0 900 390" role="img" aria-label="what reveals what">{"".join(shapes)}'
        f"{''.join(labels)}</svg><p>{note}</p>"
    )


def _file(file: Inventory) -> str:
    rows = "".join(
        f"<tr><td>{escape(place)}</td><td>{count}</td><td>{file.edits.get(place, 0)}</td></tr>"
        for place, count in file.places.items()
    )
    head = "<tr><th>place</th><th>passages</th><th>edits</th></tr>"
    parts = [
        f'<h2>The file</h2><p>Places looked at ({escape(file.format)}).</p><table class="places">{head}{rows}</table>'
    ]
    for title, items in (
        ("Take note", file.noticed),
        ("Not in the release", file.dropped),
        ("Kept, although nobody read it", file.unread),
    ):
        if items:
            listed = "".join(f"<li>{escape(item)}</li>" for item in items)
            parts.append(f"<p>{title}:</p><ul>{listed}</ul>")
    return "".join(parts)


def _table(edits: Sequence[Edit]) -> str:
    counted: dict[tuple[str, str, str], int] = {}
    for e in edits:
        row = (e.original, e.replacement, e.reason)
        counted[row] = counted.get(row, 0) + 1
    rows = "".join(
        f"<tr><td><del>{escape(o)}</del></td><td>{escape(r)}</td><td>{n}</td><td>{escape(why)}</td></tr>"
        for (o, r, why), n in counted.items()
    )
    head = "<tr><th>original</th><th>released as</th><th>times</th><th>reason</th></tr>"
    return f'<h2>Edits</h2><div class="scroll"><table>{head}{rows}</table></div>'


def _record(rows: Sequence[tuple[str, str]]) -> str:
    if not rows:
        return ""
    cells = "".join(f"<tr><td>{escape(at)}</td><td>{escape(what)}</td></tr>" for at, what in rows)
    return f'<h2>Decisions of the review</h2><div class="scroll"><table>{cells}</table></div>'

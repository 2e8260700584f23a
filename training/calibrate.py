"""Calibrate the defaults of a pack: the alpha and w at which the papers' own example comes out as the papers have it.

    python -m training.calibrate --pack src/taciturn/packs/en

The scale of mutual information depends on the corpus, so a figure tuned on the Web means nothing here. In the example
of Sánchez, Batet and Viejo (2013) blood transfusion and immune system give the disease away, patient and influenza do
not. The default is the middle between what must go and what must stay; a pack in which they cannot be told apart is
refused.
"""

from __future__ import annotations

from pathlib import Path

import click

from taciturn.knowledge import Counts, Knowledge
from taciturn.knowledge.storage.pack import open_pack, set_defaults

GOES, STAYS = ("blood transfusion", "immune system"), ("patient", "influenza")


def limit(entity: str, counts: Counts) -> float:
    """The share of the entity's information between what must go and what must stay."""
    full = counts.ic(entity)
    low = max(counts.pmi(entity, key) for key in STAYS) / full
    high = min(counts.pmi(entity, key) for key in GOES) / full
    if not low < high:
        raise click.ClickException(f"{entity!r}: what must stay reveals {low:.3f}, what must go only {high:.3f}")
    click.echo(f"{entity}: stays at {low:.4f}, goes at {high:.4f}")
    return (low + high) / 2


@click.command()
@click.option("--pack", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
def main(pack: Path) -> None:
    """Write the calibrated alpha and w into the pack's manifest."""
    share = limit("HIV", Knowledge.open(pack).counts)
    defaults = {"alpha": round(1 / share, 3), "w": round(share, 3)}
    set_defaults(open_pack(pack), defaults)
    click.echo(f"defaults: {defaults}")


if __name__ == "__main__":
    main()

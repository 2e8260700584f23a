"""Prose from wiki markup, in linear time."""

import gc
import time

import pytest

from taciturn.knowledge.building.wikitext import strip_markup


@pytest.mark.parametrize(
    ("markup", "prose"),
    [
        ("{{Infobox|a={{b|c}}|d}}Text", "Text"),
        ("a [[b]] [[c|d]] [[e#f]] [[File:x|thumb|the [[y]]]]", "a b d e"),
        ("x<ref name=a/> y<ref>z [[q]]</ref> w", "x y w"),
        ("== Head ==\nPara <!-- no\n --> one\n\n\n* item", "Para one\nitem"),
        ("[http://a.b label] and [[Category:X]]", "label and"),
        ("{| class=x\n| cell\n|}\nafter", "after"),
        ("open {{ never closed", "open never closed"),
        ("fish &amp; chips&nbsp;now", "fish & chips now"),
    ],
)
def test_prose(markup: str, prose: str) -> None:
    assert strip_markup(markup) == prose


@pytest.mark.parametrize("piece", ["{{", "[[", "<ref>", "<!--", "<ref ", "[//", "[[a|", "<ref></ref", "\n=", "{|", "'"])
def test_hostile_markup_takes_linear_time(piece: str) -> None:
    def seconds(n: int) -> float:
        spent = []
        gc.disable()  # the collector's sweeps grow with everything else that the test process holds
        try:
            for _ in range(5):
                start = time.process_time()
                strip_markup(piece * n)
                spent.append(time.process_time() - start)
        finally:
            gc.enable()
        return min(spent)

    assert seconds(80_000) < 24 * max(seconds(10_000), 0.004)

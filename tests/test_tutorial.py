"""The tutorial says what its commands print."""

from __future__ import annotations

import pytest

from tests.tutorial import PAGE, ROOT, run_page

HAS_PACK = (ROOT / "src" / "taciturn" / "packs" / "en" / "manifest.json").is_file()


@pytest.mark.slow
@pytest.mark.skipif(not HAS_PACK, reason="SKIPPED FOR WANT OF DATA: the embedded pack has no counts")
def test_every_command_of_the_tutorial_prints_what_the_page_says() -> None:
    page = PAGE.read_text("utf-8")
    assert run_page(page) == page, "write it anew with `python -m tests.tutorial` and read what changed"


def test_a_stale_page_would_be_noticed() -> None:
    assert run_page("```console\n$ echo new\nold\n```\n") == "```console\n$ echo new\nnew\n```\n"
    assert run_page("```python\nprint(6 * 7)\n```\n\n```text\n41\n```\n").endswith("```text\n42\n```\n")

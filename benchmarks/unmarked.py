"""Figures in the documentation that look measured and do not say from which result they come.

    python -m benchmarks.unmarked      list them, page by page

What looks measured: a number with a unit of speed, time or size behind it, a per cent, a score such as ``F1 .87``, and
numbers of a table whose heading names such a thing. Code is not looked at: a test runs the tutorial's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.claims import FIGURE, ROOT, TABLE, pages

_NUMBER = r"(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
_THINGS = r"(?:words|pages|documents|docs|notes|rows|files|keys|contexts|texts|requests|terms|queries|characters)"
_UNIT = (
    rf"(?:{_THINGS}\s?/\s?(?:CPU )?s\b|(?:[a-z]+ ){{0,2}}{_THINGS} a (?:CPU )?second|"
    r"ms\b|milliseconds|µs|(?:CPU )?seconds?\b|(?<=\s)s\b|minutes\b|"
    r"[KMG]i?B(?:/s)?\b|%|per cent\b|times (?:faster|as fast|the)\b)"
)
_SCORE = r"(?:F1|[Rr]ecall|[Pp]recision|\b[RP]\b)"
_MEASURED = re.compile(rf"(?<![\w.,]){_NUMBER}(?:\s?(?:to|-|–)\s?{_NUMBER})?\s?{_UNIT}|{_SCORE}[^\d|.\n]{{0,14}}\.\d+")
_HEADING = re.compile(
    rf"{_THINGS}/|\bms\b|\bF1\b|\brecall\b|\bprecision\b|\bs\b|[KMG]B\b|%|seconds|faster", re.IGNORECASE
)
_EXAMPLES = frozenset({"identifiers.md"})
"""Pages of nothing but examples, written from data."""
_EXEMPT = re.compile(r"<!-- not measured: [^>]+ -->")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def unmarked(text: str) -> list[str]:
    """What looks measured in a page and has no comment.

    >>> unmarked("It opens in 25 ms.")
    ['25 ms']
    >>> unmarked("It opens in 25 ms <!-- figure: knowledge; what=open; ms -->.")
    []
    >>> unmarked("It stops after 10 s. <!-- not measured: a limit -->")
    []
    """
    text = TABLE.sub(lambda m: "\n" * m.group().count("\n"), _without_code(text))
    found: list[str] = []
    before = ""
    for block in re.split(r"\n[ \t]*\n", text):
        if not (_EXEMPT.search(block) or (_is_table(block) and _EXEMPT.search(before.strip().split("\n")[-1]))):
            found += _in_table(block) if _is_table(block) else _in_prose(block)
        before = block
    return found


def _without_code(text: str) -> str:
    text = re.sub(r"^(```|~~~).*?^\1[^\n]*$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"(?<=\n\n)(?: {4}[^\n]*\n+)+", "\n", text)
    text = re.sub(r"`[^`\n]+`", "`code`", text)
    return re.sub(r"\]\([^)\n]*\)", "]", text)


def _is_table(block: str) -> bool:
    return all(line.lstrip().startswith("|") for line in block.strip("\n").split("\n"))


def _in_prose(block: str) -> Iterator[str]:
    marked = [m.span() for m in FIGURE.finditer(block)]
    for match in _MEASURED.finditer(block):
        if not any(a < match.end() and match.start() < b for a, b in marked):
            yield " ".join(match.group().split())


def _in_table(block: str) -> Iterator[str]:
    heading, *rows = block.strip("\n").split("\n")
    if _HEADING.search(_COMMENT.sub("", heading)):
        for row in rows[1:]:
            if re.search(r"\d", _COMMENT.sub("", FIGURE.sub("", row))):
                yield row.strip()
    else:
        yield from _in_prose("\n".join(rows))


def everywhere() -> list[str]:
    """What is unmarked in all pages, with the page."""
    return [
        f"{path.relative_to(ROOT)}: {what}"
        for path in pages()
        if path.name not in _EXAMPLES
        for what in unmarked(path.read_text("utf-8"))
    ]


if __name__ == "__main__":
    print("\n".join(everywhere()))

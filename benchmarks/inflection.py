"""Singular forms: our rules and table beside ``inflect`` and ``lemminflect``; and the speed of keys.

Accuracy on three sets: nouns of the treebanks EWT and GUM with their lemmas (plurals must change, singulars in *-s* and
names must not), WordNet's own list of irregular plurals, and WordNet's nouns in *-s* that are no plurals. The table of
ours was built from WordNet, so only the treebanks are a test of it; the names in *-s* were learned from Wikipedia.
"""

from __future__ import annotations

import lzma
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from taciturn.language import keys
from taciturn.language.inflection import singular
from taciturn.language.keys import keys_of

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
WORDNET = Path("/usr/share/wordnet")
Gold = Counter[tuple[str, str]]


def treebank_nouns() -> dict[str, Gold]:
    """(word, lemma) of the treebanks' nouns, by what is asked. "People" and "data" are left out: both are right."""
    sets: dict[str, Gold] = {"plural nouns": Counter(), "singular nouns in -s": Counter(), "names in -s": Counter()}
    groups = {"NNS": "plural nouns", "NN": "singular nouns in -s", "NNP": "names in -s"}
    for file in sorted((SHARED / "treebank").glob("*.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                c = line.split("\t")
                if len(c) != 10 or c[4] not in groups or not c[1].isalpha() or len(c[1]) < 3 or c[1].isupper():
                    continue
                if "Typo=Yes" in c[5] or "Abbr=Yes" in c[5] or c[1].lower() in ("people", "data"):
                    continue
                if c[4] == "NNS" or c[1].endswith("s"):
                    sets[groups[c[4]]][c[1].lower(), c[2].lower()] += 1
    return sets


def wordnet_exceptions() -> Gold:
    lines = (WORDNET / "noun.exc").read_text("utf-8").splitlines()
    pairs: dict[str, set[str]] = {}
    for line in lines:
        many, *ones = line.split()
        if many.isalpha():
            pairs.setdefault(many, set()).update(ones)
    return Counter({(many, "|".join(sorted(ones))): 1 for many, ones in pairs.items()})


def peers() -> dict[str, Callable[[str], str]]:
    found: dict[str, Callable[[str], str]] = {"taciturn": singular}
    if find_spec("inflect"):
        import inflect

        engine = inflect.engine()
        found["inflect"] = lambda word: engine.singular_noun(word) or word  # type: ignore[arg-type]
    if find_spec("lemminflect"):
        import lemminflect

        found["lemminflect"] = lambda word: lemminflect.getLemma(word, upos="NOUN")[0]
    return found


def seconds_to_first_word(package: str) -> float:
    """CPU time of a fresh process from import to first answer, without that of ``taciturn.language`` itself."""
    program = {
        "taciturn": (
            "import taciturn.language; START; from taciturn.language.inflection import singular; singular('cats')"
        ),
        "inflect": "START; import inflect; inflect.engine().singular_noun('cats')",
        "lemminflect": "START; import lemminflect; lemminflect.getLemma('cats', upos='NOUN')",
    }[package]
    program = f"import time; {program}; print(time.process_time() - t)".replace("START", "t = time.process_time()")
    environment = {"PYTHONPATH": ":".join(p for p in sys.path if p)}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    return float(run.stdout)


def key_speed() -> list[dict[str, object]]:
    """Keys a second on the phrases of clinical notes, each distinct one once, and again from the cache."""
    phrases: list[str] = []
    with lzma.open(SHARED / "notes" / "clinical-notes.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            phrases += re.findall(r"[A-Za-z][\w'-]*(?: [\w'-]+){0,2}", line)
    distinct = list(dict.fromkeys(phrases))[:100_000]
    rows: list[dict[str, object]] = []
    keys._kept_key.cache_clear()
    for what in ("keys, each phrase for the first time", "keys, from the cache"):
        start = time.process_time()
        keys_of(distinct)
        rows.append({"what": what, "phrases": len(distinct), "a second": len(distinct) / (time.process_time() - start)})
    return rows


def main() -> list[dict[str, object]]:
    sets = treebank_nouns()
    if WORDNET.is_dir():
        sets["WordNet's exceptions"] = wordnet_exceptions()
    rows: list[dict[str, object]] = []
    for name, function in peers().items():
        row: dict[str, object] = {"package": name, "s to first word": seconds_to_first_word(name)}
        start, words = time.process_time(), 0
        for title, gold in sets.items():
            right = sum(n for (word, lemma), n in gold.items() if function(word) in lemma.split("|"))
            words += len(gold)
            row[title] = right / gold.total()
        row["distinct words a second"] = words / (time.process_time() - start)
        rows.append(row)
    rows += key_speed()
    for row in rows:
        print("  ".join(f"{k}: {v:.4g}" if isinstance(v, float) else f"{k}: {v}" for k, v in row.items()))
    return rows


if __name__ == "__main__":
    main()

"""Write the word lists of ``taciturn.language``: ``en/inflection.txt`` and ``en/keys.txt``, from WordNet 3.0.

    PYTHONPATH=src python training/build_inflection.py [WORDNET_FOLDER]

WORDNET_FOLDER holds ``data.*``, ``noun.exc`` and ``cntlist.rev`` (Debian: wordnet-base). Names in *-s* that WordNet
lacks (Jenkins) are those that the Wikipedia files of ../shared/data/corpus write with a capital within a sentence at
least five times and hardly ever without. The outputs are sorted and depend on nothing else.

In the first file a line "many one" is an irregular plural, a line "word" a word that is its own singular, a line
"+many one" a plural that the rules would not form. The second has three lines: acronyms, common words of two to
five letters (in any part of speech, seen in WordNet's tagged texts), and names of several words that end in a plural.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from collections import Counter
from pathlib import Path

from taciturn.language.inflection import plural_by_rule, singular_by_rule

DATA = Path(__file__).resolve().parents[1] / "src/taciturn/language/en"
CORPUS = Path(__file__).resolve().parents[2] / "shared/data/corpus"
HEADER = """\
# Written by training/build_inflection.py, not by hand; see there for the meaning of the lines.
# From WordNet 3.0, Copyright 2006 by Princeton University. All rights reserved. Used under the WordNet 3.0 license.
"""

# Plurals whose most common singular is not the first that noun.exc names, or that WordNet lacks.
CHOSEN = {"axes": "axis", "bases": "base", "media": "media", "data": "data", "people": "people", "lice": "louse",
          "dice": "dice", "leaves": "leaf", "lives": "life", "glasses": "glass", "taxis": "taxi", "does": "do",
          "us": "us", "this": "this", "yes": "yes", "has": "has", "was": "was", "news": "news", "aids": "aid",
          "statuses": "status", "menses": "menses", "feces": "feces", "faeces": "faeces", "clothes": "clothes",
          "philippines": "philippines", "laos": "laos", "bacteria": "bacterium", "algae": "alga", "hives": "hives",
          "ups": "up"}  # fmt: skip


# WordNet's files for fields of study and for states: "optics" and "shingles" are no plurals.
OWN_WORDS = {"09", "26"}


def names_in_s(low: set[str], capital_only: set[str]) -> set[str]:
    """Words in -s that the corpus writes with a capital, and whose stem it does not know as a common noun."""
    inside = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}s\b(?!['’])")
    small = re.compile(r"\b[a-z]{3,}\b")
    capital: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for file in ("wikipedia-core.jsonl.xz", "wikipedia-leads.jsonl.xz"):
        with lzma.open(CORPUS / file, "rt", encoding="utf-8") as lines:
            for line in lines:
                text = json.loads(line)["text"]
                capital.update(inside.findall(text))
                plain.update(small.findall(text))
    return {
        name.lower()
        for name, count in capital.items()
        if count >= 5
        and (one := singular_by_rule(name.lower())) not in capital_only | {name.lower()}
        and not one.endswith(("ist", "ian", "ean", "can", "ite"))  # Leninists: people, not a name.
        and plain[name.lower()] * 20 < count
        and plain[one] * (50 if one in low else 5) < count
    }


def main(folder: Path) -> None:
    common: set[str] = set()
    names: set[str] = set()
    own: set[str] = set()
    for line in (folder / "data.noun").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split("|")[0].split()
        lemmas = [fields[4 + 2 * i] for i in range(int(fields[3], 16))]
        (names if "@i" in fields else common).update(lemmas)
        if fields[1] in OWN_WORDS:
            own.update(lemmas)
    counts: Counter[str] = Counter()
    for line in (folder / "cntlist.rev").read_text("utf-8").splitlines():
        sense, _, count = line.split()
        if "%1:" in sense:
            counts[sense.split("%")[0]] += int(count)

    words = {w for w in common if "_" not in w and re.fullmatch(r"[A-Za-z]+", w)}
    low = {w.lower() for w in words}
    written_small = {w for w in words if w.islower()}
    to_one: dict[str, str] = {}
    for line in (folder / "noun.exc").read_text("utf-8").splitlines():
        many, one = line.split()[:2]
        if many.isalpha() and one.isalpha():
            to_one.setdefault(many, one)

    wanted: dict[str, str] = dict(to_one)
    # A noun of WordNet is its own singular, unless it is the plural of a noun that is at least as common.
    for word in sorted(low):
        if word in wanted or (not word.endswith("s") and singular_by_rule(word) == word):
            continue
        ones = [one for one in (word[:-1], word[:-2], word[:-3] + "y") if one in written_small and len(one) > 2]
        ones = [one for one in ones if word in (plural_by_rule(one), one + "s")]
        best = max(ones, key=lambda one: (counts[one], one), default="")
        if word in own and word.endswith("ics") and word in written_small:
            wanted[word] = word
        elif best and (word not in written_small or counts[best] > counts[word] - (word not in own)):
            wanted[word] = best
        else:
            wanted[word] = word
    # The regular plural of every noun leads back to it.
    for word in sorted(low):
        many = plural_by_rule(word)
        if many not in wanted and many not in low and singular_by_rule(many) != word:
            rival = singular_by_rule(many)
            if rival not in low or counts[rival] < counts[word]:
                wanted[many] = word
    # The last word of a name stays as it is, unless it is the plural of a common noun ("States").
    for name in sorted(names):
        word = name.split("_")[-1].lower()
        if word.isalpha() and word not in wanted and singular_by_rule(word) not in low:
            wanted[word] = word
    for word in names_in_s(low, low - written_small):
        wanted[word] = word
    wanted.update(CHOSEN)

    lines = {f"{many} {one}" if one != many else many for many, one in wanted.items() if singular_by_rule(many) != one}
    # Irregular plurals to write: the first in noun.exc of a common noun that the rules would not lead to.
    for many, one in sorted(to_one.items()):
        regular = many in (one, plural_by_rule(one)) or many.endswith(("mata", "sses", "zzes"))
        if one in low and wanted[many] == one and not regular:
            lines.add(f"+{many} {one}")
    lines |= {"+bacteria bacterium", "+people person", "+algae alga"}
    for word in "series species sheep deer fish aircraft offspring people".split():
        lines.add(f"+{word} {word}")
    (DATA / "inflection.txt").write_text(HEADER + "\n".join(sorted(lines)) + "\n", "utf-8")

    acronyms = {w for w in common | names if w.isupper() and w.isalpha() and len(w) > 1}
    plural_names = {
        name.lower().replace("_", " ")
        for name in names
        if "_" in name and name[0].isupper() and (end := name.split("_")[-1].lower()).isalpha()
        if wanted.get(end, singular_by_rule(end)) != end
    }
    short = {w for w in short_words(folder) if 1 < len(w) < 6}
    parts = [" ".join(sorted(acronyms)), " ".join(sorted(short)), "|".join(sorted(plural_names))]
    (DATA / "keys.txt").write_text(HEADER + "\n".join(parts) + "\n", "utf-8")
    print(f"{len(lines)} lines; {len(acronyms)} acronyms, {len(short)} short words, {len(plural_names)} names")


def short_words(folder: Path) -> set[str]:
    """Words that WordNet writes small, in any part of speech, and that occur in its tagged texts."""
    seen = {line.split("%")[0] for line in (folder / "cntlist.rev").read_text("utf-8").splitlines()}
    small: set[str] = set()
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
            fields = line.split()
            if not line.startswith(" "):
                small.update(fields[4 + 2 * i].split("(")[0] for i in range(int(fields[3], 16)))
    return {w for w in seen & small if w.isalpha() and w.islower()}


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet"))

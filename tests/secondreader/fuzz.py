"""Ways to write a name that any reader understands, and places to write it, for the fuzz of the second reader.

Everything is made here from the names alone, by code that shares nothing with the reader, from a fixed seed.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator

CONDITIONS = (
    "HIV", "AIDS", "syphilis", "gonorrhea", "chlamydia", "genital herpes", "hepatitis B", "hepatitis C", "tuberculosis",
    "malaria", "schizophrenia", "bipolar disorder", "depression", "autism", "dementia", "Alzheimer's disease",
    "Parkinson's disease", "multiple sclerosis", "epilepsy", "migraine", "asthma", "emphysema", "pneumonia",
    "cystic fibrosis", "hemophilia", "sickle cell anemia", "leukemia", "lymphoma", "melanoma", "breast cancer",
    "prostate cancer", "lung cancer", "colon cancer", "diabetes", "obesity", "gout", "lupus", "psoriasis", "eczema",
    "Crohn's disease", "ulcerative colitis", "celiac disease", "cirrhosis", "pancreatitis", "appendicitis", "anorexia",
    "bulimia", "alcoholism", "endometriosis", "infertility", "osteoporosis", "arthritis", "glaucoma", "Bell's palsy",
    "shingles", "measles", "mumps", "scabies", "hypertension", "atherosclerosis",
)  # fmt: skip
PEOPLE = (
    "Antonio Banderas", "Javier Bardem", "Sylvester Stallone", "Audrey Hepburn", "Jordi Mollà", "Maria Kowalska",
    "Ivan Petrenko", "Nguyen Thi Lan", "Fatima Zahra", "Oluwaseun Adeyemi", "Sean O'Brien", "Anna-Lena Krüger",
    "Ludwig van Beethoven", "Marguerite Duras", "Takeshi Yamamoto", "Priya Raghunathan", "Dmitri Shostakovich",
    "Ingrid Bergman", "Rosalind Franklin", "Kwame Nkrumah",
)  # fmt: skip
TOPICS = (
    "homosexuality", "Catholicism", "communism", "abortion", "pregnancy", "cocaine", "heroin", "bankruptcy",
    "divorce", "atheism",
)  # fmt: skip

OTHER_NAMES = {
    "HIV": "human immunodeficiency virus|VIH|HIV-1", "AIDS": "SIDA|acquired immunodeficiency syndrome",
    "syphilis": "syphilitic|lues", "gonorrhea": "gonorrhoea|gonorrhoeal", "hepatitis C": "Hep C",
    "hepatitis B": "Hep B", "tuberculosis": "tuberculous|tubercular", "schizophrenia": "schizophrenic|schizophrenics",
    "bipolar disorder": "manic depression|bipolar", "autism": "autistic", "dementia": "demented",
    "Alzheimer's disease": "Alzheimer disease|Alzheimers", "Parkinson's disease": "Parkinson disease|Parkinsons",
    "epilepsy": "epileptic|epileptics", "asthma": "asthmatic|asthmatics", "emphysema": "emphysematous",
    "cystic fibrosis": "mucoviscidosis", "hemophilia": "haemophilia|hemophiliac|haemophiliacs",
    "leukemia": "leukaemia|leukemic", "breast cancer": "cancer of the breast|carcinoma of the breast",
    "prostate cancer": "cancer of the prostate", "lung cancer": "lung carcinoma", "colon cancer": "cancer of the colon",
    "diabetes": "diabetic|diabetics|diabetes mellitus", "obesity": "obese", "psoriasis": "psoriatic",
    "Crohn's disease": "Crohn disease|Crohns", "celiac disease": "coeliac disease", "cirrhosis": "cirrhotic",
    "alcoholism": "alcoholic|alcoholics", "arthritis": "arthritic", "osteoporosis": "osteoporotic",
    "hypertension": "hypertensive|HTN", "bulimia": "bulimic", "anorexia": "anorexic", "shingles": "herpes zoster",
    "infertility": "infertile", "homosexuality": "homosexual|homosexuals", "Catholicism": "Catholic|Catholics",
    "communism": "communist|communists", "pregnancy": "pregnant", "atheism": "atheist|atheists",
}  # fmt: skip
"""Synonyms, abbreviations, adjectives, persons, spellings and other languages' names, parted by bars."""
CODES = {
    "HIV": "B20|Z21", "AIDS": "B20", "syphilis": "A53.9", "hepatitis B": "B18.1",
    "hepatitis C": "B18.2", "tuberculosis": "A15.0", "schizophrenia": "F20.9|F20.0", "bipolar disorder": "F31.9",
    "dementia": "F03.90", "Alzheimer's disease": "G30.9", "Parkinson's disease": "G20", "multiple sclerosis": "G35",
    "epilepsy": "G40.909", "migraine": "G43.909", "asthma": "J45.909", "emphysema": "J43.9", "cystic fibrosis": "E84.9",
    "hemophilia": "D66", "melanoma": "C43.9", "breast cancer": "C50.919", "prostate cancer": "C61",
    "colon cancer": "C18.9", "diabetes": "E11.9", "obesity": "E66.9", "gout": "M10.9",
    "psoriasis": "L40.9", "Crohn's disease": "K50.90", "ulcerative colitis": "K51.90", "celiac disease": "K90.0",
    "bulimia": "F50.2", "endometriosis": "N80.9", "glaucoma": "H40.9", "Bell's palsy": "G51.0", "measles": "B05.9",
    "mumps": "B26.9", "scabies": "B86", "hypertension": "I10",
}  # fmt: skip
"""Codes of the ICD-10, parted by bars."""
ALIKE = {
    **dict(zip("AaBEeHIiKMOoPpCcTXxyjs", "АаВЕеНІіКМОоРрСсТХхујѕ", strict=True)),
    **dict(zip("ZNvu", "ΖΝνυ", strict=True)),
}
INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u202a\u202c\u2066"
PLACES: tuple[tuple[str, str], ...] = (
    ("The note says {} today.", " "), ("# {}\n\nText.", " "), ("## Known {}:\n\nText.", " "),
    ("- one\n- {}\n- two", " "),
    ("#{}", ""), ("@{}", "_"), ("| a | {} | b |", " "), ("a\t{}\tb", " "), ("ann.{}@example.org", "."),
    ("see {}_2024.pdf", "_"), ("scan-{}.docx", "-"), ("https://example.org/{}/index.html", "-"),
    ("https://example.org/?q={}", "%20"), ("({})", " "), ("{}-related", " "), ("{}'s course", " "), ("Dx:{};", " "),
    ("{}%", " "), ("{}¹", " "), ("{}2", " "), ("**{}**", " "), ('"{}"', " "), ("{}_status", "_"), ("non-{}", "-"),
    ("1. {}\n2. none", " "), ("<b>{}</b>", " "), ("`{}`", " "), ("[{}](x.html)", " "), ("{}/none", " "),
    ("pre\n{}\n", " "),
)  # fmt: skip
"""Where a name stands, and what is written in it for a blank."""


CODED: tuple[str, ...] = (
    "Dx: {}.", "Dx: {}, Z00.0; I11.9", "ICD-10: {} was noted", "| {} | 2024 |", "({})", "a\t{}\tb", "- {}\n- none",
    "ICD-10 {}\n", "{}; follow up",
)  # fmt: skip
"""Where a code stands as one: among codes, by itself, or announced."""


def variants(name: str, number: int) -> Iterator[tuple[str, str]]:
    """Texts that say a name, each with the string in it that says it; the same ones at every run."""
    chance = random.Random(f"second reader {name}")
    codes = CODES[name].split("|") if name in CODES else []
    others = OTHER_NAMES[name].split("|") if name in OTHER_NAMES else [name]
    for i in range(number):
        style = i % (len(STYLES) + 2)
        if style == len(STYLES) and codes:
            code = chance.choice(codes)
            written = chance.choice((code, code.replace(".", ""), code.lower()))
            yield chance.choice(CODED).format(written), written
            continue
        written = _cases(chance.choice(others), chance) if style >= len(STYLES) else STYLES[style](name, chance)
        frame, blank = PLACES[chance.randrange(len(PLACES))]
        if "\n" not in written:
            written = written.replace(" ", blank)
        yield frame.format(written), written


def _cases(name: str, chance: random.Random) -> str:
    if name.isupper():
        return name  # in small letters it may be another word, as "aids" is
    return chance.choice((name.upper(), name.lower(), name.title() if "'" not in name else name, name))


def _mixed(name: str, chance: random.Random) -> str:
    if name == "AIDS":
        return name
    first = name[0].swapcase() + name[1:]
    return chance.choice((first, name.capitalize(), name.replace(" ", "_").lower(), _camel(name)))


def _camel(name: str) -> str:
    return "".join(w[:1].upper() + w[1:] for w in name.replace("-", " ").split(" "))


def _alike(name: str, chance: random.Random) -> str:
    places = [i for i, c in enumerate(name) if c in ALIKE]
    for i in chance.sample(places, min(len(places), chance.randint(1, 3))):
        name = _put(name, i, ALIKE[name[i]])
    return name


def _put(name: str, i: int, letter: str) -> str:
    return name[:i] + letter + name[i + 1 :]


def _invisible(name: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 3)):
        i = chance.randrange(1, len(name))
        name = name[:i] + chance.choice(INVISIBLE) + name[i:]
    return name


def _accents(name: str, chance: random.Random) -> str:
    i = chance.choice([i for i, c in enumerate(name) if c.isalpha()])
    return name[: i + 1] + chance.choice("\u0301\u0300\u0308\u0323\u0336") + name[i + 1 :]


def _wide(name: str, chance: random.Random) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalpha() else c for c in name)


def _mathematical(name: str, chance: random.Random) -> str:
    kinds = ("BOLD", "SANS-SERIF", "MONOSPACE", "BOLD FRAKTUR", "BOLD SCRIPT", "DOUBLE-STRUCK", "ITALIC")
    kind = f"MATHEMATICAL {chance.choice(kinds)}"
    return "".join(_styled(c, kind) for c in name)


def _styled(char: str, kind: str) -> str:
    if not (char.isascii() and char.isalpha()):
        return char
    try:
        return unicodedata.lookup(f"{kind} {'CAPITAL' if char.isupper() else 'SMALL'} {char.upper()}")
    except KeyError:
        return char  # a few letters of some styles have names of their own


def _separators(name: str, chance: random.Random) -> str:
    return name.replace(
        " ", chance.choice(("-", "_", "\u00a0", "  ", "\n", "/", "", "\u2013", ".", " | ", "\u2009", "\t"))
    )


def _apart(name: str, chance: random.Random) -> str:
    return chance.choice((" ", ".", "-", "\u00a0")).join(c for c in name if c.isalnum()) + "\n"


def _misspelled(name: str, chance: random.Random) -> str:
    words = name.split(" ")
    long = [i for i, w in enumerate(words) if len(w) >= 8 and w.isalpha() and w.isascii()]
    if not long:
        return _slip(name, chance)
    i = chance.choice(long)
    word, at = words[i], chance.randrange(1, len(words[i]) - 2)
    wrong = chance.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            _put(word, at, "q"),
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )
    return " ".join((*words[:i], wrong, *words[i + 1 :]))


def _slip(name: str, chance: random.Random) -> str:
    """A name of one word of five to seven letters with one of them doubled or left out, but not the first."""
    if not (5 <= len(name) <= 7 and name.isalpha() and name.isascii()):
        return name
    at = chance.randrange(2, len(name) - 1)
    return chance.choice((name[:at] + name[at] + name[at:], name[:at] + name[at + 1 :]))


def _line_end(name: str, chance: random.Random) -> str:
    i = chance.choice([i for i in range(1, len(name)) if name[i - 1 : i + 1].isalpha()])
    return f"{name[:i]}-\n{name[i:]}"


def _possessive(name: str, chance: random.Random) -> str:
    return name + chance.choice(("'s", "’s", "s'")) if name[-1] != "s" else f"{name}'"


def _quotes(name: str, chance: random.Random) -> str:
    return name.replace("'", chance.choice(("’", "ʼ", "`", "´", ""))).upper() if "'" in name else name.upper()


STYLES: tuple[Callable[[str, random.Random], str], ...] = (
    _cases, _mixed, _alike, _invisible, _accents, _wide, _mathematical, _separators, _apart, _misspelled, _line_end,
    _possessive, _quotes,
)  # fmt: skip

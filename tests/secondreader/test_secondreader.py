"""The second reader finds every way to write a form, and nothing that is another word."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import taciturn.secondreader
from taciturn.secondreader import Form, Forms, form_of, forms_of, read
from taciturn.secondreader.derived import derived
from taciturn.secondreader.forms import _one_off

WORDS = frozenset(
    "the a an of aids aid all who add ms status positive clinic related patient has history liver disease year ago "
    "hearing rapist therapist can people prostate mental anemic hepatic".split()
)
PROTECTED = (
    "HIV", "AIDS", "syphilis", "hepatitis C", "hepatitis A", "Crohn's disease", "Bell's palsy", "benzodiazepine",
    "diabetes", "leukemia", "multiple sclerosis", "ALL", "MS", "B20", "F20.0", "295.30", "cancer", "STD",
    "liver cancer",
)  # fmt: skip


def is_ordinary(word: str) -> bool:
    return word in WORDS


@pytest.fixture(scope="module")
def forms() -> Forms:
    return forms_of(PROTECTED, is_ordinary)


FOUND = [
    ("# HIV", "HIV"), ("#HIV:", "HIV"), ("@HIV", "HIV"), ("HIV%", "HIV"), ("HIV1", "HIV"), ("syphilis¹", "syphilis"),
    ("hiv_status", "hiv"), ("H\u200cI\u200eV", "H\u200cI\u200eV"), ("\u041dIV", "\u041dIV"), ("ＨＩＶ", "ＨＩＶ"),
    ("𝐇𝐈𝐕", "𝐇𝐈𝐕"), ("Ⓗⓘⓥ", "Ⓗⓘⓥ"), ("H\u0301IV", "H\u0301IV"), ("H\u00adIV", "H\u00adIV"), ("ʜɪᴠ", "ʜɪᴠ"),
    ("CROHN'S DISEASE", "CROHN'S DISEASE"), ("Crohn disease", "Crohn disease"), ("Crohns disease", "Crohns disease"),
    ("Bell’s palsy", "Bell’s palsy"), ("BELL'S PALSY", "BELL'S PALSY"), ("hepatitis-C", "hepatitis-C"),
    ("HepatitisC", "HepatitisC"), ("hepatitis\nC", "hepatitis\nC"), ("hepatitis | C", "hepatitis | C"),
    ("hepatitis%20C", "hepatitis%20C"), ("Hepatitis_C.pdf", "Hepatitis_C"), ("Benzodiazapine", "Benzodiazapine"),
    ("diabetis", "diabetis"), ("diabetse", "diabetse"), ("leukaemia", "leukaemia"), ("leukaemias", "leukaemias"),
    ("LEUKÆMIA", "LEUKÆMIA"), ("syphi-\nlis", "syphi-\nlis"), ("syph\nilis", "syph\nilis"), ("syph ilis", "syph ilis"),
    ("H I V", "H I V"), ("H.I.V.", "H.I.V"), ("h-i-v", "h-i-v"), ("hivStatus", "hiv"), ("myHIVclinic", "HIV"),
    ("hivpositive", "hivpositive"), ("HIVPOSITIVE", "HIVPOSITIVE"), ("HIV's", "HIV"), ("STDs", "STDs"),
    ("hiv-related", "hiv"), ("ann@hiv-clinic.org", "hiv"), ("https://x.org/hiv/", "hiv"), ("H**IV**", "H**IV"),
    ("H1V", "H1V"), ("c@ncer", "c@ncer"), ("canc3r", "canc3r"), ("Dx: B20,", "B20"), ("B20.1", "B20"),
    ("F20.0", "F20.0"), ("Dx: F200;", "F200"), ("(B20)", "B20"), ("| B20 |", "B20"),
    ("f20.0", "f20.0"), ("ICD-9 295.30", "295.30"), ("AIDS", "AIDS"),
    ("HEARING AIDS", "AIDS"), ("multiple sclerosos", "multiple sclerosos"),
    ("sclerosis, multiple sclerosis", "multiple sclerosis"), ("CROHNʼS DISEASE", "CROHNʼS DISEASE"),
    ("leukemi-\na", "leukemi-\na"), ("diabe-\ntes", "diabe-\ntes"), ("#multiplesclerosos", "multiplesclerosos"),
    ("liver canc-\ner", "liver canc-\ner"), ("benzodiazepi-\nne", "benzodiazepi-\nne"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), FOUND)
def test_each_way_to_write_a_form_is_found(text: str, shown: str, forms: Forms) -> None:
    framed = f"Seen. {text} then"
    assert [framed[h.start : h.end] for h in read(framed, forms) if not h.ambiguous] == [shown]


@pytest.mark.parametrize(
    "text",
    [
        "the hearing aids",
        "all who add",
        "ms.",
        "had hepatitis a year ago",
        "a bill of 295.30",
        "ALL WHO ADD",
        "M.S.",
        "given B20 today",
        "F200 lamp",
    ],
)
def test_what_may_be_another_word_is_ambiguous(text: str, forms: Forms) -> None:
    hits = read(text, forms)
    assert hits
    assert all(h.ambiguous for h in hits)


@pytest.mark.parametrize(
    "text",
    ["archive", "shiver", "the liver. Cancer", "AB20", "B200", "1B20", "h i", "hepatic", "can certainly", "H. Ivens",
     "HIVES", "liver\n\n\n\ncancer", "pastis"],
)  # fmt: skip
def test_other_words_raise_no_alarm(text: str, forms: Forms) -> None:
    found = [h for h in read(text, forms) if h.form.text != "cancer"]
    assert found == []


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("102.5", "1.025"),  # the dot is at its place
        ("199.1", "in 1991"),  # a number is a code where codes are announced
        ("OBI", "p.o. b.i.d."),  # letters apart have one thing between them
        ("LAD I", "LAD is"),  # a plural has a word before its s
        ("b ALL", "a ball"),  # a word of its own is no two words
        ("scan 2", "a scan, 2 days"),  # a list that goes on
        ("TED", "stented"),  # a short name inside a word
    ],
)
def test_what_looks_like_a_form_is_not_always_one(form: str, text: str) -> None:
    names = [form_of(form, "the thing")]
    assert read(text, forms_of(names, lambda w: w in ("ball", "is", "sten"))) == ()


def test_a_number_is_a_code_where_codes_are_announced() -> None:
    assert [h.ambiguous for h in read("ICD-9: 1991", forms_of(["199.1"]))] == [False]


def test_an_ordinary_word_one_letter_off_is_no_misspelling() -> None:
    assert read("anorexic", forms_of(["anorexia"], lambda word: word == "anorexic")) == ()
    assert len(read("anorexic", forms_of(["anorexia"]))) == 1


def test_spans_point_into_the_original() -> None:
    text = "ﬁne \u200bＳy\u0301philis²!"
    (hit,) = read(text, forms_of(["syphilis"]))
    assert text[hit.start : hit.end] == "Ｓy\u0301philis"


def test_what_was_removed_is_searched_as_it_was() -> None:
    removed = forms_of([Form("Dr. Rose Hart", "removed"), Form("Rose", "removed")], lambda w: w == "rose")
    text = "dr Rose-Hart gave a rose to ROSE"
    assert [(text[h.start : h.end], h.ambiguous) for h in read(text, forms_of([]), removed)] == [
        ("dr Rose-Hart", False), ("rose", True), ("ROSE", False),
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "exact"), [("MS", True), ("Ms", False), ("ms", False)])
def test_an_ambiguous_abbreviation_may_have_its_own_capitals(text: str, exact: bool) -> None:
    (hit,) = read(f"seen {text} today", forms_of([Form("MS", "homograph")]))
    assert (hit.ambiguous, hit.exact) == (True, exact)


@pytest.mark.parametrize(
    ("text", "found"),
    [("She saw Rose there", 1), ("Then: Rose and fell", 0), ("a rose", 0), ("by ROSE", 1), ("rose_2.pdf", 0)],
)
def test_a_removed_name_that_is_a_word_is_found_by_its_capital(text: str, found: int) -> None:
    hits = read(f"He left. {text}", forms_of([Form("Rose", "removed")], lambda w: w == "rose"))
    assert sum(not h.ambiguous for h in hits) == found


def test_homographs_are_only_pointed_at() -> None:
    (hit,) = read("a clap of thunder", forms_of([Form("clap", "homograph"), "gonorrhea"]))
    assert hit.ambiguous


def test_names_without_blanks_between_words_are_found() -> None:
    text = "患者山田太郎氏"
    (hit,) = read(text, forms_of(["山田太郎"]))
    assert text[hit.start : hit.end] == "山田太郎"


@given(st.text("ab", min_size=1, max_size=6), st.text("ab", min_size=1, max_size=6))
def test_one_letter_off_is_the_edit_distance(a: str, b: str) -> None:
    near = {a[:i] + a[i + 1 :] for i in range(len(a))}
    near |= {a[:i] + c + a[i:] for i in range(len(a) + 1) for c in "ab"}
    near |= {a[:i] + c + a[i + 1 :] for i in range(len(a)) for c in "ab"}
    near |= {a[:i] + a[i + 1] + a[i] + a[i + 2 :] for i in range(len(a) - 1)}
    assert _one_off(a, b) == (b in near - {a})


@given(st.data())
def test_a_form_with_one_letter_wrong_is_found_in_any_place(data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(["syphilis", "diabetes", "benzodiazepine", "schizophrenia"]))
    at = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from("bdkmqtwxz"))
    wrong = data.draw(
        st.sampled_from(
            [word[:at] + word[at + 1 :], word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :]]
        )
    )
    assert len(read(f"with {wrong}, seen", forms_of([word]))) == 1


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for hit in read(text, forms_of(PROTECTED, is_ordinary)):
        assert 0 <= hit.start < hit.end <= len(text)


def test_it_imports_nothing_of_ours() -> None:
    folder = Path(taciturn.secondreader.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("taciturn"):
                assert (node.module or "").startswith("taciturn.secondreader"), path.name


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("asthma", "asthmatic"), ("psoriasis", "psoriatic"), ("anorexia", "anorexic"), ("hemophilia", "hemophiliac"),
        ("cirrhosis", "cirrhotic"), ("arthritis", "arthritic"), ("epilepsy", "epileptic"), ("autism", "autistic"),
        ("alcoholism", "alcoholic"), ("syphilis", "syphilitic"), ("hypertension", "hypertensive"), ("obesity", "obese"),
        ("pregnancy", "pregnant"), ("incontinence", "incontinent"), ("homosexuality", "homosexual"),
        ("migraine", "migraineur"), ("dementia", "demented"), ("glaucoma", "glaucomatous"), ("communism", "communist"),
    ],
)  # fmt: skip
def test_adjectives_and_persons_are_made_by_rule(name: str, made: str) -> None:
    assert made in derived(name)


def test_what_is_left_of_a_name_must_look_like_an_adjective() -> None:
    assert "method" not in derived("Methodism")
    assert "organ" not in derived("organism")


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("hepatitis C", "hepatitis A, B and C", "hepatitis A, B and C"),
        ("hepatitis C", "hepatitis B/C", "hepatitis B/C"),
        ("type 2 diabetes", "type 1 or 2 diabetes", "type 1 or 2 diabetes"),
        ("breast cancer", "breast, colon and ovarian cancer", "breast, colon and ovarian cancer"),
        ("left arm pain", "pain and discomfort in the left upper arm", "pain and discomfort in the left upper arm"),
        ("epiglottic mass", "mass lesion of the epiglottis", "mass lesion of the epiglottis"),
        ("colon cancer", "a colon; cancer was", ""), ("hepatitis C", "hepatitis profile, C3 and C", ""),
        ("epiglottic mass", "mass. Then the epiglottis", ""),
    ],
)  # fmt: skip
def test_names_that_are_not_in_one_piece(name: str, text: str, shown: str) -> None:
    hits = read(f"He has {text} now.", forms_of([Form(name, "name", (name,))]))
    assert [f"He has {text} now."[h.start : h.end] for h in hits] == ([shown] if shown else [])


def test_a_clipped_word_is_no_word_itself() -> None:
    forms = forms_of(["bradycardia"], lambda word: word == "bradyca")
    assert [h.way for h in read("a brady rhythm", forms)] == ["cut short"]
    assert read("Brady came; bradyca; brad", forms) == ()

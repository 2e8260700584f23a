"""Surrogates: the same form, the same value throughout, never a name of the input; dates keep order and intervals."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn import Policy, sanitize
from taciturn.generalize.surrogates import Surrogates
from taciturn.generalize.surrogates.dates import shifted
from taciturn.models import Kinds

NOTE = (
    "Mrs. Adaeze Okafor was seen by Dr. Helen Lee on March 12, 2014. Okafor's son called (617) 555-0143 on 03/19/2014. "
    "MRN: 1234567. Dr. Lee will write to a.okafor@example.org. Signed: H. Lee, MD"
)
_DAYS = st.dates(date(1950, 1, 1), date(2040, 1, 1))
_FORMS = ("%Y-%m-%d", "%m/%d/%Y", "%d %B %Y", "%B %d, %Y")


def read(text: str, form: str) -> date:
    from datetime import datetime

    return datetime.strptime(text, form).date()


@given(_DAYS, _DAYS, st.integers(-900, 900), st.sampled_from(_FORMS))
def test_shifted_dates_keep_order_and_interval(one: date, other: date, days: int, form: str) -> None:
    new = [shifted(d.strftime(form), days) for d in (one, other)]
    moved = [read(text or "", form) for text in new]
    assert moved == [one + timedelta(days), other + timedelta(days)]


@given(_DAYS, st.binary(min_size=1, max_size=8))
def test_whole_weeks_keep_the_day_of_the_week(day: date, secret: bytes) -> None:
    moved = Surrogates(secret, weekdays=True).of("date", day.isoformat())
    assert moved is not None
    assert date.fromisoformat(moved).weekday() == day.weekday()
    assert date.fromisoformat(moved) != day


@pytest.mark.parametrize(
    ("text", "days", "new"),
    [
        ("3rd June 2024", 11, "14th June 2024"),
        ("12-Dec-2022", 20, "1-Jan-2023"),
        ("17.08.2022", 1, "18.08.2022"),
        ("05MAR24", 1, "06MAR24"),
        ("Feb 28 '23", 1, "Mar 1 '23"),
        ("3/27", 7, "4/3"),
        ("March 2022", 31, "April 2022"),
        ("Easter", 1, None),
        ("31/31/2020", 1, None),
    ],
)
def test_a_date_keeps_its_form(text: str, days: int, new: str | None) -> None:
    assert shifted(text, days) == new


@given(st.binary(min_size=1, max_size=8))
def test_names_are_other_names_and_the_same_throughout(secret: bytes) -> None:
    book = Surrogates.for_text(secret, NOTE)
    full, short, last_first = (book.of("person", name) for name in ("Adaeze Okafor", "Okafor", "OKAFOR, A."))
    assert full
    assert short
    assert last_first
    assert full.split()[-1] == short
    assert last_first.split(",")[0] == short.upper()
    assert last_first[-2] == full[0]
    assert not {w.casefold() for w in full.split()} & book.avoid
    assert book.is_surrogate(full)
    assert not book.is_surrogate("Okafor")


def test_a_release_with_surrogates() -> None:
    policy = replace(Policy.load("hipaa-safe-harbor"), mark="surrogate")
    release = sanitize(NOTE, policy)
    for gone in ("Okafor", "Adaeze", "Helen", "Lee", "555-0143", "March 12", "03/19", "1234567"):
        assert gone not in release.text
    assert "[" not in release.text
    guarantee = release.certificate.guarantees[0]
    assert guarantee.parameters["mark"] == "surrogate"
    assert "surrogates stand in the place" in guarantee.statement


def test_the_secret_and_the_scope_say_which_surrogates() -> None:
    other = NOTE.replace("MRN", "Record")
    batch = Kinds(hide=["person"], mark="surrogate", secret="s", scope="batch")
    one, two = (next(e for e in sanitize(t, batch).edits if e.original == "Okafor").replacement for t in (NOTE, other))
    assert one == two
    alone = Kinds(hide=["person"], mark="surrogate", secret="s")
    assert sanitize(NOTE, alone).text == sanitize(NOTE, alone).text
    fresh = Kinds(hide=["person"], mark="surrogate")
    assert len({sanitize(NOTE, fresh).text for _ in range(4)}) > 1


def test_a_dossier_has_surrogates_and_numbers_of_its_own() -> None:
    notes = ("Ms. Adaeze Okafor came on March 12, 2024.", "Seen: OKAFOR, A. with Mr. Lee. Dr. Okafor agreed.")
    model = Kinds(hide=["person"], mark="surrogate", secret="s", scope="dossier")
    one, two = (sanitize(note, model.within("case 1")).edits for note in notes)
    new = {e.original.split(",")[0].split()[-1].casefold(): e.replacement for e in one}["okafor"].split()[-1]
    assert all(new.casefold() in e.replacement.casefold() for e in two if "okafor" in e.original.casefold())
    other = sanitize(notes[0], model.within("case 2")).edits
    assert [e.replacement for e in one] != [e.replacement for e in other]
    numbered = Kinds(hide=["person"], mark="kind", secret="s", scope="dossier")
    marks = [
        [e.replacement for e in sanitize("Ms. Okafor came.", numbered.within(case)).edits] for case in ("1", "1", "2")
    ]
    assert marks[0] == marks[1] != marks[2]


def test_no_surrogate_of_a_dossier_is_a_name_of_another_of_its_documents() -> None:
    model = Kinds(hide=["person"], mark="surrogate", secret="s", scope="dossier")
    taken: set[str] = set()
    for _ in range(5):
        (edit,) = sanitize("Ms. Okafor came.", model.within("case", frozenset(taken))).edits
        assert edit.replacement.casefold() not in taken
        taken.add(edit.replacement.casefold())


def test_a_scope_beyond_the_document_needs_a_secret() -> None:
    with pytest.raises(ValueError, match="needs a secret"):
        Kinds(hide=["person"], mark="surrogate", scope="dossier")

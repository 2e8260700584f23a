"""What the witnesses of the embedded knowledge say, and which of them is believed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from taciturn.knowledge import Knowledge
from taciturn.knowledge.counts.usual import Usual
from taciturn.knowledge.initials import initials, spelled
from taciturn.language import Key, key


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge.default()


def share(knowledge: Knowledge, entity: str, text: str) -> float:
    """The part of an entity's information that a text says."""
    name, witnesses = knowledge.entity(entity), knowledge.witnesses
    return float(witnesses.told([name], [key(text)])[1][0, 0]) / witnesses.information(name)


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        ("asthma", "asthmatic"),
        ("psoriasis", "psoriatic"),
        ("anorexia nervosa", "anorexic"),
        ("schizoaffective disorder", "schizoaffective"),
        ("HIV", "B24"),
        ("hemophilia", "FVIII"),
    ],
)
def test_derived_forms_codes_and_numbered_things_say_nearly_all(knowledge: Knowledge, entity: str, text: str) -> None:
    assert share(knowledge, entity, text) > 0.85


def test_what_is_usual_in_notes_tells_less_and_names_tell_all(knowledge: Knowledge, tmp_path: Path) -> None:
    often = {Key("infection"): 900, Key("HIV"): 900}
    Usual.write(tmp_path / "usual.bin", often, 1000, "example")
    before = replace(knowledge, usual=None)
    after = replace(knowledge, usual=Usual.open(tmp_path / "usual.bin"))
    assert share(after, "HIV", "infection") < 0.1 < share(before, "HIV", "infection")
    assert share(after, "HIV", "HIV") == 1
    assert share(after, "HIV", "zidovudine") == share(before, "HIV", "zidovudine")
    assert after.digest != before.digest


def test_a_matter_is_counted_by_the_name_that_texts_use(knowledge: Knowledge) -> None:
    """Who protects AIDS protects the infection too, of which there are more contexts."""
    witnesses = knowledge.witnesses
    entity = knowledge.entity("AIDS")
    own, more = witnesses.bases(entity)
    assert own == entity
    assert knowledge.counts.count(more) > knowledge.counts.count(own)


def test_the_words_of_a_rare_name_speak_for_it(knowledge: Knowledge) -> None:
    entity = knowledge.entity("tonsil and adenoid hypertrophy")
    assert "tonsil" in knowledge.witnesses.bases(entity)
    assert share(knowledge, "tonsil and adenoid hypertrophy", "tonsil") > share(knowledge, "asthma", "tonsil")


def test_the_first_testimony_is_what_is_believed(knowledge: Knowledge) -> None:
    witnesses = knowledge.witnesses
    for entity, text in (("hemophilia", "Advate"), ("HIV", "blood transfusion"), ("panic disorder", "PDSS")):
        name = knowledge.entity(entity)
        said = [t for t in witnesses.testimonies(name, key(text)) if t.witness != "vectors"]
        assert said[0].bits == pytest.approx(float(witnesses.told([name], [key(text)])[1][0, 0]))
        assert all(a.bits >= b.bits for a, b in pairwise(said))
    assert witnesses.testimonies(knowledge.entity("hemophilia"), key("Advate"))[0].sources


def test_initials_speak_where_nothing_explains_them(knowledge: Knowledge) -> None:
    assert share(knowledge, "panic disorder", "PDSS") > 0.4
    assert share(knowledge, "Huntington's disease", "UHDRS") > 0.4
    # An abbreviation that is explained, or a word in capitals, is not spelled out.
    assert share(knowledge, "HIV", "HIVES") < 0.3
    assert spelled("MRSA", initials(["Huntington disease"])) == 0

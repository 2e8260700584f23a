from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from taciturn import Policy, PolicyError, check, sanitize
from taciturn.document import Document
from taciturn.formats import read
from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.models import CSanitized, Denied, Informative, KSafe, UnknownTermError
from taciturn.models.declare import declarations
from taciturn.models.excepting import Excepting
from taciturn.models.matching import Matcher
from taciturn.policy import preset_names
from tests.fixtures import tiny_knowledge

TINY = tiny_knowledge()
NOTHING = Knowledge(ContextCounts([]))


def policy(tmp_path: Path, text: str) -> Policy:
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return Policy.load(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('protcet = 1', "line 2: unknown key 'protcet'; did you mean 'protect'?"),
        ('[[protect]]\nkind = ["email"]', "line 3: unknown key 'kind'; did you mean 'kinds'?"),
        ('\n[[protect]]\nkinds = [\n  "phone",\n  "emial",\n]', "line 6: 'emial' is no kind of term; did you"),
        ('[readers.insurer]\nterm = ["HIV"]', "line 3: unknown key 'term'; did you mean 'terms'?"),
        ('[readers.insurer]\nbasis = "law"', "line 2: this [readers.insurer] names nothing; give terms"),
        ('[readers."../etc"]\nterms = ["HIV"]', "'../etc' is no name of a reader; write letters"),
        (
            '[[protect]]\nkinds = ["date"]\n[readers.press]\nkeep = { date = "year" }',
            "line 5: 'date' is to be 'hidden' in one place and 'year' in another",
        ),
        ('[[model]]\nname = "c-sanitised"', "line 3: name is 'c-sanitised', which is no model; did you mean"),
        ('[[model]]\nalpha = 2.0', "line 2: this [[model]] has no name"),
        ('[[model]]\nname = "c-sanitized"\nalpha = 0.5', "line 4: alpha is 0.5, but must be greater than or"),
        ('[[model]]\nname = "c-sanitized"\nalpah = 2.0', "line 4: unknown key 'alpah'; did you mean 'alpha'?"),
        ('[[model]]\nname = "t-plausible"', "'t' is missing"),
        ('[replace]\nmark = "blok"', "line 3: mark is 'blok'; did you mean 'block'?"),
        ('unknown = 3', "line 2: unknown is 3"),
        ('[allow]\nexact = "Ann"', "line 3: exact is 'Ann', but must be a valid list"),
        ('[deny]\npattern = ["(a"]', "line 3: the pattern '(a' cannot be used"),
        ('[deny]\npattern = [\'(a)\\1\']', "which has no back references"),
        ('[[protect]]\nbasis = "law"', "line 2: this [[protect]] names nothing"),
        ('[[protect]]\nkeep = { date = "week" }', "line 3: 'week' is no level of 'date'; choose 'year'"),
        ('[[protect]]\nlists = ["no.txt"]', "line 3: the list 'no.txt' cannot be read"),
        ('[allow]\nexact = ["Ann"]\n[deny]\nexact = ["Ann"]', "line 5: 'Ann' is allowed and denied"),
        ('[[model]]\nname = "kinds"\n[[model]]\nname = "kinds"', "line 5: the model 'kinds' is named twice"),
        ('[[protect]]\nkinds = ["date"]\n[[protect]]\nkeep = { date = "year" }', "line 5: 'date' is to be"),
    ],
)  # fmt: skip
def test_a_fault_names_the_line_the_value_and_what_to_write(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=re.escape(message)) as caught:
        policy(tmp_path, f'title = "x"\n{text}')
    assert str(caught.value).startswith(str(tmp_path / "mine.toml"))
    assert "\n" not in str(caught.value)


def test_what_is_not_toml_or_has_no_title_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="line 1: this is not TOML"):
        policy(tmp_path, 'title = "x\n')
    with pytest.raises(PolicyError, match="'title' is missing"):
        policy(tmp_path, '[[protect]]\nkinds = ["email"]')


def test_a_wrong_name_is_answered_with_the_nearest_preset() -> None:
    with pytest.raises(PolicyError, match="did you mean 'hipaa-safe-harbor'"):
        Policy.load("hippa-safe-harbor")


def test_every_preset_loads() -> None:
    assert len(preset_names()) == 7
    for name in preset_names():
        # Two presets protect nothing until it is named.
        loaded = Policy.load(name, protect=["Mary Smith"] if name in ("conceal", "person-release") else ())
        assert loaded.name == name
        assert loaded.build()


def test_basis_and_code_stand_in_the_report_and_codes_in_the_certificate(tmp_path: Path) -> None:
    mine = policy(
        tmp_path,
        """
title = "Mine"
[[model]]
name = "c-sanitized"
alpha = 1.5
[[protect]]
terms = ["HIV"]
basis = "Health law"
code = "H-1"
[[protect]]
kinds = ["code"]
basis = "Contacts"
code = "C-2"
[[protect]]
words = ["garden"]
basis = "Whim"
code = "W-3"
[deny]
exact = ["X-Ray"]
code = "D-4"
""",
    )
    text = "He has AIDS. Write to a@example.org about the gardens and X-Ray."
    release = sanitize(text, mine, TINY)
    assert release.text == "He has a disease. Write to [email address] about the [REDACTED] and [REDACTED]."
    codes = {e.original: (e.figures.get("basis"), e.figures.get("code")) for e in release.edits}
    assert codes == {
        "AIDS": ("Health law", "H-1"),
        "a@example.org": ("Contacts", "C-2"),
        "gardens": ("Whim", "W-3"),
        "X-Ray": (None, "D-4"),
    }
    assert release.report.to_json()["edits"][0]["figures"]["code"] == "H-1"
    assert [g.model for g in release.certificate.guarantees] == ["kinds", "c-sanitized", "denied", "denied"]
    assert "H-1" in str(release.certificate.guarantees[1].parameters["codes"])
    assert check(release.text, mine, TINY).holds
    assert not check(text, mine, TINY).holds


def test_allowed_terms_are_left_out_and_counted(tmp_path: Path) -> None:
    mine = policy(
        tmp_path,
        'title = "x"\n[[protect]]\nkinds = ["email"]\n[allow]\nexact = ["info@example.org"]\nignore-case = ["aids"]\n',
    ).protecting(["HIV"])
    release = sanitize("AIDS: write to info@example.org, not to me@example.org.", mine, TINY)
    assert release.text == "AIDS: write to info@example.org, not to [email address]."
    for guarantee in release.certificate.guarantees:
        assert guarantee.figures["mentions allowed"] == 2
        assert "left out of account" in guarantee.statement


def test_what_is_denied_is_hidden_even_inside_what_is_allowed(tmp_path: Path) -> None:
    mine = policy(tmp_path, 'title = "x"\n[allow]\nexact = ["Ann Lee"]\n[deny]\nignore-case = ["lee"]\n')
    assert sanitize("Ann Lee came.", mine, NOTHING).text == "Ann [REDACTED] came."


def test_lists_are_read_beside_the_policy(tmp_path: Path) -> None:
    (tmp_path / "patients.txt").write_text("Ann Lee\nBob\n", "utf-8")
    mine = policy(tmp_path, 'title = "x"\n[[protect]]\nlists = ["patients.txt"]\ncode = "P"\n')
    release = sanitize("Ann Lee, Bob and Bobby.", mine, NOTHING)
    assert release.text == "[REDACTED], [REDACTED] and Bobby."
    assert release.edits[0].figures["code"] == "P"


def test_a_list_is_masked_if_the_policy_names_k_anonymous(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("Smith\nSmyth\nJones\n", "utf-8")
    mine = policy(tmp_path, 'title = "x"\n[[protect]]\nlists = ["names.txt"]\n[[model]]\nname = "k-anonymous"\nk = 2\n')
    assert sanitize("Ask Smith.", mine, NOTHING).text == "Ask Sm*th."


def test_places_of_a_file_can_be_left_and_columns_chosen(tmp_path: Path) -> None:
    mine = policy(
        tmp_path, 'title = "x"\n[[protect]]\nkinds = ["email"]\n[read]\nleave = ["header"]\ncolumns = ["note"]\n'
    )
    document = Document.join([("header 1", "a@example.org"), ("body", "b@example.org")])
    assert sanitize(document, mine, NOTHING).text == "a@example.org\n\n[email address]"
    file = read(b"id,note\na@example.org,b@example.org\n", "t.csv", mine.options())
    assert "a@example.org" not in file.document.text


def test_a_model_without_anything_to_protect_is_refused(tmp_path: Path) -> None:
    bare = policy(tmp_path, 'title = "x"\n[[model]]\nname = "c-sanitized"\n')
    with pytest.raises(PolicyError, match="nothing for it to protect"):
        bare.build()
    assert bare.protecting(["HIV"]).build()
    with pytest.raises(PolicyError, match="protects nothing"):
        policy(tmp_path, 'title = "x"\n').build()


@pytest.mark.parametrize(
    "model",
    [
        'name = "c-sanitized"\nreveal = "virus"\ngroups = 1',
        'name = "informative"\nbeta = 3.5',
        'name = "informative"\nprotect = "virus"',
        'name = "informative"',
        'name = "related"\nw = 0.5',
        'name = "t-plausible"\nt = 1\nsegment = "sentence"\ntime-limit = 2.0',
        'name = "k-safe"\nk = 2\nsearch = "greedy"',
        'name = "kinds"',
    ],
)
def test_every_model_can_be_named(tmp_path: Path, model: str) -> None:
    head = 'title = "x"\nunknown = "keep"\n[[protect]]\nterms = ["HIV"]\nkinds = ["email"]\n[[model]]\n'
    names = [m.name for m in policy(tmp_path, head + model).build()]
    assert model.split('"')[1] in names


def test_informative_takes_its_own_term_before_the_terms_of_the_policy(tmp_path: Path) -> None:
    head = 'title = "x"\n[[protect]]\nterms = ["HIV"]\n[[model]]\nname = "informative"\n'

    def protect(more: str) -> object:
        built = next(m for m in policy(tmp_path, head + more).build() if m.name == "informative")
        assert isinstance(built, Excepting)
        assert isinstance(built.model, Informative)
        return built.model.protect

    assert protect("") == ("HIV",)
    assert protect('protect = "virus"') == ("virus",)
    assert protect("beta = 3.5") == ()
    with pytest.raises(PolicyError, match="line 7: give protect or beta, not both"):
        policy(tmp_path, head + 'protect = "virus"\nbeta = 3.5')
    with pytest.raises(PolicyError, match="nothing for it to protect"):
        policy(tmp_path, 'title = "x"\n[[model]]\nname = "informative"\n').build()


def test_branches_hide_every_kind_of_them() -> None:
    denied = Denied(branches=["disease"])
    release = sanitize("He had influenza, AIDS and a liver cancer, took aspirin.", denied, TINY)
    assert release.text == "He had [REDACTED], [REDACTED] and a [REDACTED], took aspirin."
    assert not check("A case of acquired immunodeficiency syndrome.", denied, TINY).holds
    with pytest.raises(UnknownTermError, match="'dragon'"):
        sanitize("x", Denied(branches=["dragon"]), TINY)


def test_words_are_hidden_with_their_synonyms_and_forms() -> None:
    denied = Denied(protect=["AIDS"], lists={"deny": Matcher(ignore_case=["case"])})
    text = "Acquired immunodeficiency syndrome: a CASE of AIDS."
    assert sanitize(text, denied, TINY).text == "[REDACTED]: a [REDACTED] of [REDACTED]."


def test_pydantic_is_not_imported_until_a_policy_is_read() -> None:
    code = (
        "import sys, taciturn as t; t.sanitize; t.Policy; sys.exit('pydantic' in sys.modules or 're2' in sys.modules)"
    )
    path = {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    assert subprocess.run([sys.executable, "-c", code], env=path, check=False).returncode == 0


def test_the_file_of_the_documentation_is_a_policy(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "policies.md").read_text("utf-8")
    block, readers = re.findall(r"```toml\n(.*?)```", page, re.S)
    mine = policy(tmp_path, block)
    assert [m.name for m in mine.build()] == ["kinds", "c-sanitized", "denied", "denied"]
    assert [*policy(tmp_path, block + readers).readers] == ["insurer", "press"]
    for name in preset_names():
        assert f"`{name}`" in page


def test_the_documentation_names_every_key() -> None:
    from taciturn.policy import file as policyfile

    page = (Path(__file__).parents[2] / "docs" / "policies.md").read_text("utf-8")
    schemas = [policyfile._File, *policyfile._TABLES.values()]
    keys = {name.replace("_", "-") for schema in schemas for name in schema.model_fields}
    keys |= {p.name.replace("_", "-") for told in declarations() for p in told.parameters if p.is_plain}
    assert {key for key in keys if not re.search(rf"\b{key}\b", page)} == set()


def test_a_mark_is_not_denied_and_words_beside_it_are() -> None:
    denied = Denied(lists={"deny": Matcher(ignore_case=["redacted"])})
    assert check("[REDACTED] came.", denied, NOTHING).holds
    assert sanitize("[REDACTED] was redacted.", denied, NOTHING).text == "[REDACTED] was [REDACTED]."


def test_more_terms_are_withheld_on_the_basis_of_the_first_and_the_only_basis_covers_all(tmp_path: Path) -> None:
    """A policy with one basis withholds everything on it, also what no rule of it names."""
    mine = policy(tmp_path, 'title = "Mine"\n[[protect]]\nterms = ["HIV"]\nbasis = "Health law"\ncode = "H-1"')
    more = mine.protecting(["liver cancer"])
    release = sanitize("He has AIDS and liver cancer.", more, TINY)
    assert {e.original: e.figures.get("basis") for e in release.edits} == {
        "AIDS": "Health law",
        "liver cancer": "Health law",
    }
    assert release.certificate.guarantees[0].parameters["codes"] == "H-1"
    (tmp_path / "names.txt").write_text("Smith\nSmyth\n", "utf-8")
    masked = policy(
        tmp_path,
        'title = "Mine"\n[[model]]\nname = "k-anonymous"\nk = 2\n[[protect]]\nlists = ["names.txt"]\ncode = "N-2"',
    )
    assert [e.figures["code"] for e in sanitize("Ask Smith.", masked, NOTHING).edits] == ["N-2"]


def test_of_two_bases_none_covers_what_no_rule_names(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("Smith\nSmyth\n", "utf-8")
    mine = policy(
        tmp_path,
        'title = "Mine"\n[[model]]\nname = "k-anonymous"\nk = 2\n[[protect]]\nlists = ["names.txt"]\ncode = "N-2"\n'
        '[[protect]]\nkinds = ["code"]\ncode = "C-3"',
    )
    release = sanitize("Smith, a@example.org", mine, NOTHING)
    assert {e.original: e.figures.get("code") for e in release.edits} == {"Smith": None, "a@example.org": "C-3"}


def test_terms_that_a_model_is_not_given_are_protected_by_the_default_model(tmp_path: Path) -> None:
    head = 'title = "x"\n[[protect]]\nterms = ["HIV"]\n[[model]]\nname = "c-sanitized"\nprotect = "syphilis"\n'
    own, other = (m.model for m in policy(tmp_path, head).build() if isinstance(m, Excepting))
    assert isinstance(own, CSanitized)
    assert isinstance(other, CSanitized)
    assert (own.protect, other.protect) == (("syphilis",), ("HIV",))


def test_what_a_policy_leaves_out_is_the_models_default(tmp_path: Path) -> None:
    head = 'title = "x"\n[[protect]]\nterms = ["HIV"]\n'
    for told in declarations():
        if all(p.takes != "terms" for p in told.parameters):
            continue
        given = {"t": 3} if told.name == "t-plausible" else {}
        body = "".join(f"{name} = {value}\n" for name, value in given.items())
        built = policy(tmp_path, f'{head}[[model]]\nname = "{told.name}"\n{body}').build()[0]
        assert isinstance(built, Excepting)
        assert built.model == told.make({"protect": ["HIV"], **given})


def test_a_setting_of_the_policy_reaches_every_model_that_has_it(tmp_path: Path) -> None:
    head = (
        'title = "x"\nunknown = "redact"\n[[protect]]\nterms = ["HIV"]\n[replace]\nstyle = "redact"\nmark = "block"\n'
    )
    for name in ("c-sanitized", "related", "k-safe"):
        built = policy(tmp_path, f'{head}[[model]]\nname = "{name}"\n').build()[0]
        assert isinstance(built, Excepting)
        said = {"action": "redact", "mark": "block", "unknown": "redact"}
        assert {k: getattr(built.model, k, v) for k, v in said.items()} == said
    own = policy(tmp_path, f'{head}[[model]]\nname = "k-safe"\naction = "generalize"\n').build()[0]
    assert isinstance(own, Excepting)
    assert isinstance(own.model, KSafe)
    assert own.model.action == "generalize"

"""Outlook messages: read from their compound file, released as e-mails."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from taciturn.cli.sanitize import command as sanitize
from taciturn.formats import FormatError, Limits, Options, read
from taciturn.formats.msg import unpacked_rtf
from tests.formats import nasty_office
from tests.formats.compound import attachment, compound, message, properties, recipient, text
from tests.formats.nasty import HIDE, NAME
from tests.formats.plans import release
from tests.formats.test_zip import packed


def _mail(data: bytes) -> EmailMessage:
    made = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(made, EmailMessage)
    return made


def test_a_message_becomes_an_email() -> None:
    file, data = release(compound(message(f"About {NAME}", f"{NAME} has a fever.\n")), "a.msg", HIDE)
    mail = _mail(data)
    assert (file.format, file.name) == ("mail", "a.eml")
    assert mail["Subject"] == "About an actor"
    assert mail["To"] == "Bob Ray <bob@example.org>"
    assert mail["From"] == "Ann Lee <ann@example.org>"
    assert mail["Date"].startswith("Sun, 12 May 2024")
    body = mail.get_body(("plain",))
    assert body is not None
    assert body.get_content().strip() == "an actor has a fever."
    assert "properties that Outlook adds" in file.dropped
    assert any(".eml" in told for told in file.noticed)


_HTML = {"__substg1.0_10130102": f"<html><body><p>{NAME} <b>left</b>.</p></body></html>".encode()}
_RICH = {"__substg1.0_10090102": b"\0" * 8 + b"MELA" + b"\0" * 4 + rb"{\rtf1\ansi Antonio {\b Banderas} left.\par}"}
_ATTACHED = {"__attach_version1.0_#00000000": attachment(f"{NAME}.docx", nasty_office.docx(inner=False))}
_WITHIN = {
    "__attach_version1.0_#00000000": {
        "__properties_version1.0": properties(8),
        "__substg1.0_3701000D": message(f"Fw: {NAME}", f"See {NAME}", head=24),
    }
}
_MESSAGE_FILE = {
    "__attach_version1.0_#00000000": attachment("old.msg", compound(message(f"Fw: {NAME}", f"See {NAME}")))
}
_COPIES = {"__recip_version1.0_#00000001": recipient(NAME, "antonio.banderas@example.org", 2)}


@pytest.mark.parametrize("more", [_HTML, _ATTACHED, _WITHIN, _MESSAGE_FILE, _COPIES])
def test_every_place_of_a_message_is_read(more: dict[str, Any]) -> None:
    file, data = release(compound(message("Hello", f"{NAME} wrote.", **more)), "a.msg", HIDE)
    assert file.document.text.count(NAME) > 1
    assert NAME.encode() not in data
    assert b"Banderas" not in data
    for part in _mail(data).walk():
        if not part.is_multipart():
            assert b"Banderas" not in (part.get_payload(decode=True) or b"")


def test_a_body_in_rich_text_alone_is_read() -> None:
    tree = message("Hello", "", **_RICH)
    file, data = release(compound(tree), "a.msg", HIDE)
    assert f"{NAME} left." in file.document.text
    parts = [p.get_payload(decode=True) for p in _mail(data).walk() if p.get_filename()]
    assert len(parts) == 1
    assert b"an actor" in parts[0]


def test_compressed_rich_text() -> None:
    packed_text = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpacked_rtf(packed_text, 1000) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert len(unpacked_rtf(packed_text, 5)) < 43


def test_blind_copies_go() -> None:
    tree = message("Hello", "x", **{"__recip_version1.0_#00000001": recipient("Eve Ford", "eve@example.org", 3)})
    file, data = release(compound(tree), "a.msg", {})
    assert b"Eve" not in data
    assert "blind copies" in file.dropped


def test_old_messages_have_letters_of_a_code_page() -> None:
    tree = {
        "__properties_version1.0": properties(32, (3, 0x3FFD, 1251)),
        "__substg1.0_0037001E": "Привет".encode("cp1251"),
        **text(0x1000, "x"),
    }
    assert "Привет" in read(compound(tree), "a.msg").document.text


def test_messages_in_archives_and_folders_are_named_by_what_they_are(tmp_path: Path) -> None:
    source = compound(message(f"About {NAME}", f"{NAME} has a fever.\n"))
    made = release(packed({"x/a.msg": source}), "a.zip", HIDE)[1]
    assert b"x/a.eml" in made
    (tmp_path / "a.msg").write_bytes(source)
    (tmp_path / "out").mkdir()
    asked = [str(tmp_path / "a.msg"), "--model", "kinds", "--hide", "email"]
    run = CliRunner().invoke(sanitize, [*asked, "-o", str(tmp_path / "out")])
    assert run.exit_code == 0, run.output
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["a.eml"]
    run = CliRunner().invoke(sanitize, [*asked, "-o", str(tmp_path / "b.msg")])
    assert run.exit_code != 0
    assert "b.eml" in str(run.exception) + run.output


@pytest.mark.parametrize("cut", [600, 1500, 3000])
def test_damaged_messages_are_refused(cut: int) -> None:
    with pytest.raises(FormatError):
        read(compound(message("a", "b" * 5000))[:cut], "a.msg")


def test_a_message_of_many_streams_is_refused() -> None:
    tree = message("a", "b", **{f"__substg1.0_{n:04X}001F": b"x" for n in range(300)})
    with pytest.raises(FormatError, match="streams"):
        read(compound(tree), "a.msg", Options(limits=Limits(members=100)))

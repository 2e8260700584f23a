from __future__ import annotations

import email
import email.policy

import pytest

from tacit.formats import FormatError, read, write
from tacit.plan import Plan, apply
from tests.formats import nasty
from tests.formats.plans import release


def test_a_message_keeps_its_parts_and_loses_the_name() -> None:
    mail = nasty.message()
    file, data = release(mail, "a.eml", {**nasty.HIDE, "antonio.banderas@example.org": "E-MAIL"})
    assert file.format == "mail"
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert message["Subject"] == "Notes of an actor \u2014 re\u00e7u"
    assert "jb@example.org" in message["To"]
    assert message["Message-ID"] is None
    assert not [k for k in message if k.lower().startswith(("x-", "received"))]
    kinds = [p.get_content_type() for p in message.walk()]
    assert kinds[:4] == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html"]
    for part in message.walk():
        payload = part.get_payload(decode=True)
        text = (payload or b"").decode("utf-8", errors="replace") + str(part.items())
        assert "banderas" not in text.lower().replace("_", "")
    plain = message.get_body(("plain",))
    assert plain is not None
    assert plain.get_content().startswith("Dear Jürgen,\n\nan actor asks.\n")
    assert [p.get_filename() for p in message.iter_attachments()] == [None, "an actor.csv"]
    assert any("cannot be read" in what for what in file.dropped)
    places = {s.place for s in file.document.segments}
    assert {"header Subject", "body", "part 4: text", "part 5: header Subject"} <= places


def test_it_is_recognized_by_its_content() -> None:
    assert read(nasty.message(), "").format == "mail"


def test_encrypted_mail_is_refused() -> None:
    mail = b"From: a@b.c\nSubject: x\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n"
    with pytest.raises(FormatError, match="encrypted"):
        read(mail, "a.eml")


def test_pictures_are_blank_unless_kept() -> None:
    mail = b"From: a@b.c\nSubject: x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"
    file = read(mail, "a.eml")
    assert file.dropped
    assert b"image/png" in write(file, apply(Plan(file.document)))


def test_messages_in_messages_are_limited() -> None:
    mail = b"From: a@b.c\nSubject: deep\n\nx\n"
    for _ in range(8):
        mail = b"From: a@b.c\nSubject: x\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\n" + mail
    with pytest.raises(FormatError, match="files deep"):
        read(mail, "a.eml")

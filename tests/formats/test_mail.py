from __future__ import annotations

import email
import email.message
import email.policy

import pytest

from taciturn.formats import FormatError, leaks, read, write
from taciturn.plan import Plan, apply
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


def test_encoded_words_take_time_and_memory_linear_in_the_field() -> None:
    import time
    import tracemalloc

    def cost(count: int) -> tuple[float, int]:
        data = b"From: a@b.c\nSubject: " + b"=?utf-8?q?=C3=A4b?= " * count + b"\n\nbody\n"
        tracemalloc.start()
        before = time.process_time()
        file = read(data, "a.eml")
        write(file, apply(Plan(file.document)))
        spent, peak = time.process_time() - before, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return spent, peak

    cost(10)
    small, large = cost(1_000), cost(14_000)
    assert large[1] < 100 * 2**20
    assert large[1] < 30 * small[1]
    assert large[0] < 60 * max(small[0], 0.005)


def test_fields_are_decoded_as_the_library_decodes_them() -> None:
    for name, raw in (
        ("Subject", "=?utf-8?q?a?= =?utf-8?q?b?= c =?iso-8859-1?Q?caf=E9?="),
        ("Subject", "=?utf-8?b?w6Q=?=\n =?utf-8?b?w7Y=?= plain"),
        ("Subject", "=?utf-8?b?w6?= =?utf-8?b?pA==?= broken =?nonsense"),
        ("To", '=?utf-8?q?B=C3=A4r=2C_J=C3=BCrgen?= <jb@e.org>, "Lee, Ann" <al@e.org>'),
        ("From", "Ann Lee <al@e.org>"),
    ):
        data = f"{name}: {raw}\nDate: Mon, 02 Nov 2026 10:00:00 +0000\n\nx\n".encode()
        theirs = str(email.message_from_bytes(data, policy=email.policy.default)[name])
        file = read(data, "a.eml")
        [mine] = [file.document.text[s.start : s.end] for s in file.document.segments if s.place == f"header {name}"]
        if "nonsense" not in raw:
            assert mine == theirs


def test_a_field_of_structure_that_is_too_long_is_refused() -> None:
    data = b"From: a@b.c\nSubject: x\nContent-Type: text/plain; " + b"a*0*=b; " * 40_000 + b"\n\nx\n"
    with pytest.raises(FormatError, match="as no program writes it"):
        read(data, "a.eml")


def test_attachments_keep_their_extension() -> None:
    m = email.message.EmailMessage()
    m["From"], m["Subject"] = "a@b.c", "x"
    m.set_content("text")
    m.add_attachment(b"words", maintype="text", subtype="plain", filename="zebra.results.txt")
    m.add_attachment(b"words", maintype="text", subtype="plain", filename="zebra.txt")
    file, data = release(m.as_bytes(), "a.eml", {"zebra.results": "[REDACTED]", "zebra": "[REDACTED]"})
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert [p.get_filename() for p in message.iter_attachments()] == ["[REDACTED].txt", "[REDACTED].txt"]
    assert "attachment name" in file.places


def within(message: bytes, depth: int) -> bytes:
    """A message inside a message inside a message, so many times."""
    for _ in range(depth):
        outer = email.message.EmailMessage()
        outer["From"], outer["To"], outer["Subject"] = "a@example.org", "b@example.org", "Forwarded"
        outer.set_content("See below.")
        outer.add_attachment(message, maintype="application", subtype="octet-stream", filename="inner.eml")
        message = outer.as_bytes()
    return message


def test_files_in_files_are_searched_and_refused_where_they_lie_too_deep() -> None:
    inner = b"From: a@example.org\nTo: b@example.org\n\nEMP-12345 was here.\n"
    where = [leak.where for leak in leaks(within(inner, 3), ["EMP-12345"], "a.eml")]
    assert "attachment: attachment: attachment: body" in where
    with pytest.raises(FormatError, match="lies in files in files too deep to be checked"):
        leaks(within(inner, 9), ["EMP-12345"], "a.eml")

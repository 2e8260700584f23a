"""Nasty files: a name in every place where a format can hide text, one by one and all together.

Each function returns bytes that hold ``NAME`` (or another text) at the places asked for. The tests hide the name by a
plan made on what Taciturn reads, and look for it in the released bytes with other programs.
"""

from __future__ import annotations

import base64
import json
from email.message import EmailMessage

NAME = "Antonio Banderas"
HIDE = {"Antonio Banderas": "an actor"}

HTML_PLACES = {
    "text": "<p>{n} acts.</p>",
    "split": "<p>An<b>ton</b>io\n    <i>Ban</i>deras acts.</p>",
    "entities": "<p>&#65;ntonio&nbsp;&#x42;anderas</p>",
    "soft hyphen": "<p>An&shy;tonio Ban&#8203;deras</p>",
    "comment": "<!-- {n} --><!--[if IE]>{n}<![endif]-->",
    "script": "<script>var who = '{n}';</script><script type='application/json'>{{\"n\": \"{n}\"}}</script>",
    "style": "<style>/* {n} */ p::after {{ content: '{n}'; }} .Antonio-Banderas {{ color: red }}</style>",
    "style escape": "<style>p::after {{ content: '\\41 ntonio Banderas' }}</style>",
    "attributes": "<p title='{n}' data-who='{n}' id='Antonio_Banderas' class='antonio-banderas' onclick=\"x('{n}')\">x",
    "image": "<img alt='{n}' src='Antonio%20Banderas.jpg'>",
    "link": "<a href='https://e.org/wiki/Antonio_Banderas?q=antonio+banderas#AntonioBanderas'>x</a>",
    "mailto": "<a href='mailto:antonio.banderas@example.org'>x</a>",
    "form": "<form><input value='{n}'><input type=hidden value='{n}'><textarea>{n}</textarea>"
    "<select><option label='{n}' value='{n}'>x</option></select></form>",
    "svg": "<svg viewBox='0 0 9 9'><title>{n}</title><desc>{n}</desc><text>{n}</text><metadata>{n}</metadata></svg>",
    "template": "<template><p>{n}</p></template>",
    "noscript": "<noscript><p>{n}</p></noscript>",
    "iframe": "<iframe srcdoc='<p>{n}</p>' title='{n}'>{n}</iframe>",
    "object": "<object data='x'><param name='n' value='{n}'>{n}</object><embed src='data:text/html,{n}'>",
    "data uri": "<img src='data:image/svg+xml;base64,{b64}'><a href='data:text/plain;base64,{b64}'>x</a>",
    "hidden": "<p hidden>{n}</p><p style='display:none'>{n}</p>",
    "table": "<table summary='{n}'><caption>{n}</caption><tr><td>{n}<td>x</table>",
    "unclosed": "<p>x <b>{n}<p>{n}",
    "xmp": "<xmp><b>{n}</b></xmp>",
    "math": "<math><mtext>{n}</mtext><annotation>{n}</annotation></math>",
    "details": "<details><summary>{n}</summary>{n}</details>",
    "plaintext": "<plaintext>{n}",
}


def page(*places: str) -> bytes:
    """An HTML page with the name at each of the places, and in its head."""
    b64 = base64.b64encode(f"<svg>{NAME}</svg>".encode()).decode()
    body = "\n".join(HTML_PLACES[p].format(n=NAME, b64=b64) for p in places)
    head = f"<title>{NAME}</title><meta name=author content='{NAME}'><meta property=og:title content='{NAME}'>"
    return f"<!DOCTYPE html><!-- {NAME} --><html><head>{head}</head><body>\n<p>Words.</p>{body}</body></html>".encode()


def markdown() -> bytes:
    return f"""---
title: About {NAME}
author: {NAME}
---
# {NAME}

An actor named **Anto**nio
_Banderas_ and `{NAME}` <b title="{NAME}">Antonio</b> Banderas.
<!-- {NAME}
over lines -->
> quoted Antonio
> Banderas

- [x] item [Antonio *Banderas*](https://e.org/Antonio_Banderas "{NAME}")
  ![{NAME}](antonio-banderas.png)
1. Antonio&nbsp;Banderas, Antonio&#32;Banderas

| who | what |
|-----|------|
| {NAME} | actor |

```python {NAME}
who = "{NAME}"
```

    indented {NAME}

[Antonio Banderas]: https://e.org/antonio-banderas '{NAME}'
[^1]: A note on {NAME}.

Title of {NAME}
===============
""".encode()


def table() -> bytes:
    return (
        f'id;name;"note"\r\n1;{NAME};"said ""{NAME}"";\r\nand left"\r\n'
        f'2;"Ann; B";{NAME.upper()}\r\n3;"Antonio\nBanderas";\r\n'
    ).encode()


def leaves() -> bytes:
    value = {
        NAME: {"name": NAME, "list": [NAME, {"deep": [f"by {NAME}"]}], "n": 5, "t": True, "z": None},
        "antonio_banderas": "a key that is an identifier",
        "other": "caf\u00e9",
    }
    escaped = "".join(f"\\u{ord(c):04x}" for c in NAME)
    return (json.dumps(value, indent=1)[:-2] + f',\n "escaped": "{escaped}"\n}}').encode()


def lines() -> bytes:
    return "".join(
        json.dumps(row, ensure_ascii=False) + "\n"
        for row in ({"name": NAME, "city": "Málaga"}, {"name": "Ann", "by": [NAME]}, ["x", NAME], NAME)
    ).encode()


def message(attachments: dict[str, bytes] | None = None) -> bytes:
    """An e-mail with the name in header fields, both bodies, an inner message and the attachments given."""
    m = EmailMessage()
    m["From"] = f"{NAME} <antonio.banderas@example.org>"
    m["To"] = '"B\u00e4r, J\u00fcrgen" <jb@example.org>'
    m["Subject"] = f"Notes of {NAME} \u2014 re\u00e7u"
    m["Date"] = "Mon, 02 Nov 2026 10:00:00 +0000"
    m["Message-ID"] = "<antonio.banderas.1@mail.example.org>"
    m["Received"] = f"from laptop ({NAME}) by mail.example.org; Mon, 02 Nov 2026 10:00:00 +0000"
    m["X-Originating-User"] = NAME
    m.preamble = f"preamble {NAME}"
    m.set_content(f"Dear J\u00fcrgen,\n\n{NAME} asks.\n" + "A long line with Antonio Banderas in it. " * 10 + "\n")
    m.add_alternative(page("text", "split", "comment", "image").decode(), subtype="html")
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "x@example.org", f"Fwd: {NAME}"
    inner.set_content(f"Inside: {NAME}")
    m.add_attachment(inner)
    m.add_attachment(f"name;x\n{NAME};1\n".encode(), maintype="text", subtype="csv", filename=f"{NAME}.csv")
    m.add_attachment(
        b"\x00\x01" + NAME.encode(), maintype="application", subtype="octet-stream", filename=f"{NAME}.bin"
    )
    for name, data in (attachments or {}).items():
        m.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return m.as_bytes()

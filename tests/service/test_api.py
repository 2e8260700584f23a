from __future__ import annotations

import asyncio
import io
import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas
from starlette.testclient import TestClient

from taciturn.formats import leaks
from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized
from taciturn.models.declare import declarations
from taciturn.release import check, sanitize
from taciturn.service.api import Limits, create_service
from taciturn.service.tasks import RefusedError
from taciturn.service.workers import FaultError, Workers
from tests.review.notes import NOTE

HOME = "http://127.0.0.1:8765"
ASKED = {"protect": ["HIV"]}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    limits = Limits(text=20_000, file=200_000, seconds=20, workers=1, jobs=4)
    with TestClient(create_service(limits), base_url=HOME) as made:
        yield made


def post(client: TestClient, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_sanitize_gives_what_python_gives(client: TestClient) -> None:
    here = sanitize(NOTE, CSanitized(protect=["HIV"]), Knowledge.default())
    there = post(client, "/v1/sanitize", text=NOTE, **ASKED)
    assert there["text"] == here.text
    assert there["certificate"] == json.loads(json.dumps(here.certificate.to_json()))
    assert "report" not in there
    report = post(client, "/v1/sanitize", text=NOTE, report=True, **ASKED)["report"]
    assert len(report["edits"]) == there["edits"]
    assert report["understood"] == json.loads(json.dumps([one.to_json() for one in here.report.understood]))
    assert report["understood"][0]["labels"][0] == "HIV"


def test_check_explain_and_terms(client: TestClient) -> None:
    found = post(client, "/v1/check", text="He has AIDS.", **ASKED)
    assert not found["holds"]
    assert "AIDS" in found["violations"][0]["message"]
    assert post(client, "/v1/check", text="He has a dog.", **ASKED)["holds"]
    assert post(client, "/v1/explain", term="zidovudine", **ASKED)["terms"][0]["risky"]
    assert len(post(client, "/v1/explain", text=NOTE, most=3, **ASKED)["terms"]) == 3
    assert post(client, "/v1/terms", text="Two viruses.")["terms"][0]["key"] == "virus"


def test_policies_and_other_models(client: TestClient) -> None:
    text = "Write to ann@example.org."
    assert "ann@" not in post(client, "/v1/sanitize", text=text, policy="hipaa-safe-harbor")["text"]
    masked = post(client, "/v1/sanitize", text="Ask Smith.", model="k-anonymous", list=["Smith", "Smyth"], k=2)
    assert masked["text"] == "Ask Sm*th."
    branch = post(
        client, "/v1/sanitize", text="She had syphilis.", model="k-safe", branches=["sexually transmitted disease"]
    )
    assert "syphilis" not in branch["text"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"text": "x"}, "nothing to protect"),
        ({"text": "", "protect": ["HIV"]}, "at least 1 character"),
        ({"text": "x", "protect": ["HIV"], "alpha": "high"}, "valid number"),
        ({"text": "x", "protect": ["HIV"], "alpah": 2}, "not permitted"),
        ({"text": "x", "policy": "/etc/passwd"}, "is no preset"),
        ({"text": "x", "policy": "../policies/foia.toml"}, "is no preset"),
        ({"text": "x", "protect": ["HIV"], "alpha": 0.5}, "alpha: Input should be greater than or equal to 1"),
        ({"text": "x", "model": "t-plausible", "protect": ["HIV"]}, "t: Field required"),
        ({"text": "x", "model": "k-anonymous"}, "needs `list`"),
        ({"text": "x", "model": "magic"}, "there is no such model; choose from c-sanitized"),
        ({"text": "x", "model": "k-safe", "protect": ["HIV"], "alpha": 2}, "'k-safe' takes entities, protect"),
        ({"text": "x", "model": "kinds", "hide": ["emial"]}, "is no kind of term"),
        ({"text": "x", "model": "kinds", "hide": ["email"], "protect": ["HIV"]}, "takes no `protect`"),
        ({"text": "x", "model": "person-release", "protect": ["A"], "network": {}}, "'network' is not permitted"),
        ({"text": "x", "policy": "foia", "k": 3}, "'k' is not permitted beside a policy"),
    ],
)
def test_bad_requests_are_told_what_is_wrong(client: TestClient, body: dict[str, Any], says: str) -> None:
    answer = client.post("/v1/sanitize", json=body)
    assert answer.status_code == 422
    assert says in answer.text


def test_what_cannot_be_released_is_not(client: TestClient) -> None:
    answer = client.post(
        "/v1/sanitize", json={"text": "A dog.", "model": "t-plausible", "t": 10**15, "protect": ["dog"]}
    )
    assert answer.status_code == 422
    assert "text" not in answer.json()


def test_too_large_is_said_before_any_work(client: TestClient) -> None:
    answer = client.post("/v1/terms", json={"text": "word " * 5000})
    assert answer.status_code == 413
    assert "send it as a job" in answer.text
    assert client.post("/v1/terms", json={"text": "x" * 2_000_000}).status_code == 413

    def pieces() -> Iterator[bytes]:
        yield from (b"x" * 100_000 for _ in range(40))

    assert client.post("/v1/terms", content=pieces(), headers={"Content-Type": "application/json"}).status_code == 413


def done(client: TestClient, data: bytes, name: str, **asked: Any) -> dict[str, Any]:
    answer = client.post("/v1/jobs", files={"file": (name, io.BytesIO(data))}, data={"asked": json.dumps(asked)})
    assert answer.status_code == 202, answer.text
    for _ in range(200):
        found: dict[str, Any] = client.get(f"/v1/jobs/{answer.json()['job']}").json()
        if found["state"] in ("done", "failed"):
            return found
        time.sleep(0.05)
    raise AssertionError("the job does not end")


def test_a_file_is_a_job(client: TestClient) -> None:
    page = f"<html><body><p>{NOTE}</p></body></html>".encode()
    found = done(client, page, "note.html", **ASKED)
    assert found["certificate"]["holds"]
    released = client.get(f"/v1/jobs/{found['job']}/release")
    assert released.headers["content-disposition"] == 'attachment; filename="released-note.html"'
    assert not leaks(released.content, ["zidovudine", "Kaposi"], "note.html")
    assert "zidovudine" in client.get(f"/v1/jobs/{found['job']}/report").text
    assert client.delete(f"/v1/jobs/{found['job']}").status_code == 204
    assert client.get(f"/v1/jobs/{found['job']}").status_code == 404


def test_a_table_is_a_job_row_by_row(client: TestClient) -> None:
    found = done(client, b"id,patient\n1,He takes zidovudine.\n2,The patient is well.\n", "a.csv", **ASKED)
    assert found["certificate"]["holds"]
    assert "each row" in found["certificate"]["guarantees"][0]["statement"]
    released = client.get(f"/v1/jobs/{found['job']}/release").content
    assert released.startswith(b"id,patient\n1,")
    assert released.endswith(b"2,The patient is well.\n")
    assert "zidovudine" in client.get(f"/v1/jobs/{found['job']}/report").text
    client.delete(f"/v1/jobs/{found['job']}")


def test_a_job_tells_of_text_that_somebody_only_covered(client: TestClient) -> None:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(50, 700, "The patient is Mary Holt.")
    canvas.rect(45, 695, 300, 20, fill=1)
    canvas.save()
    found = done(client, out.getvalue(), "note.pdf", **ASKED)
    assert ["21 on page 1" in notice for notice in found["noticed"]] == [True]
    assert "letters under drawn boxes" in client.get(f"/v1/jobs/{found['job']}/report").text
    client.delete(f"/v1/jobs/{found['job']}")


def test_jobs_fail_closed_and_are_bounded(client: TestClient) -> None:
    failed = done(client, b"%PDF-1.7 broken", "a.pdf", **ASKED)
    assert (failed["state"], "certificate" in failed) == ("failed", False)
    assert client.get(f"/v1/jobs/{failed['job']}/release").status_code == 409
    held = [failed["job"]] + [done(client, b"He has AIDS.", "a.txt", **ASKED)["job"] for _ in range(3)]
    full = client.post("/v1/jobs", files={"file": ("a.txt", b"x")}, data={"asked": json.dumps(ASKED)})
    assert (full.status_code, full.headers["retry-after"]) == (503, "30")
    for job in held:
        client.delete(f"/v1/jobs/{job}")
    large = client.post("/v1/jobs", files={"file": ("a.txt", b"x" * 300_000)}, data={"asked": json.dumps(ASKED)})
    assert large.status_code == 413
    for asked in ("[]", "{", '{"protect": 3}', '{"model": "none"}'):
        answer = client.post("/v1/jobs", files={"file": ("a.txt", b"x")}, data={"asked": asked})
        assert answer.status_code == 422


def test_a_request_that_takes_too_long_is_ended_and_the_next_one_served() -> None:
    with TestClient(create_service(Limits(seconds=0.05, workers=1)), base_url=HOME) as client:
        assert client.post("/v1/sanitize", json={"text": NOTE * 300, **ASKED}).status_code == 504
        assert "taciturn_worker_restarts_total 1" in client.get("/metrics").text


def test_a_job_that_is_cancelled_frees_the_lane_for_the_next() -> None:
    long = b"The dog is near the teapot. " * 60_000
    with TestClient(create_service(Limits(workers=1)), base_url=HOME) as client:

        def begin(text: bytes) -> str:
            sent = client.post("/v1/jobs", files={"file": ("a.txt", text)}, data={"asked": json.dumps(ASKED)})
            return str(sent.json()["job"])

        def state(job: str) -> str:
            return str(client.get(f"/v1/jobs/{job}").json()["state"])

        first, second, third = begin(long), begin(long), begin(b"He has AIDS.")
        while state(first) == "waiting":
            time.sleep(0.02)
        assert (state(first), state(second), state(third)) == ("running", "waiting", "waiting")
        started = time.monotonic()
        assert client.delete(f"/v1/jobs/{second}").status_code == 204
        assert client.delete(f"/v1/jobs/{first}").status_code == 204
        assert client.get(f"/v1/jobs/{first}").status_code == 404
        while state(third) in ("waiting", "running"):
            time.sleep(0.02)
        assert state(third) == "done"
        assert time.monotonic() - started < 20
        assert "taciturn_worker_restarts_total 1" in client.get("/metrics").text


def test_a_job_that_needs_too_much_memory_fails_alone() -> None:
    limits = Limits(workers=1, memory=64 * 2**20)
    with TestClient(create_service(limits), base_url=HOME) as client:
        failed = done(client, b"The dog is near the teapot. " * 1_000_000, "a.txt", **ASKED)
        assert (failed["state"], "64 MB" in failed["message"]) == ("failed", True)
        assert done(client, b"He has AIDS.", "a.txt", **ASKED)["state"] == "done"


def test_a_worker_that_dies_is_replaced_and_tells_nothing() -> None:
    async def story() -> None:
        workers = Workers(1, 4)
        begun: list[bool] = []
        try:
            await workers.start()
            workers._all[0].kill()
            with pytest.raises(FaultError, match="ended before its task did"):
                await workers.run("terms", {"text": "Tellman has AIDS."}, 20)
            found = await workers.run("terms", {"text": "Two viruses."}, 20, lambda: begun.append(True))
            assert found["terms"][0]["key"] == "virus"
            with pytest.raises(RefusedError, match="nothing to protect"):
                await workers.run("sanitize", {"text": "Tellman has AIDS."}, 20)
            with pytest.raises(FaultError) as fault:
                await workers.run("terms", {"words": "Tellman has AIDS."}, 20)
            assert str(fault.value) == "internal error (KeyError)"
            assert (workers.restarts, workers.busy, begun) == (1, 0, [True])
        finally:
            workers.stop()

    asyncio.run(story())


def test_too_many_who_wait_are_told_to_come_again() -> None:
    client = TestClient(create_service(Limits(workers=1, waiting=0)), base_url=HOME)
    busy = client.post("/v1/terms", json={"text": "Two viruses."})
    assert (busy.status_code, busy.headers["retry-after"]) == (503, "2")


def test_health_metrics_and_schema(client: TestClient) -> None:
    assert client.get("/health").json()["status"] == "ok"
    post(client, "/v1/terms", text="Tellman has AIDS.")
    text = client.get("/metrics").text
    assert 'taciturn_requests_total{route="/v1/terms",method="POST",status="200"}' in text
    assert "Tellman" not in text
    assert client.get("/wp-admin?q=Tellman").status_code == 404
    assert "wp-admin" not in client.get("/metrics").text
    schema = client.get("/openapi.json").json()
    assert {"/v1/sanitize", "/v1/check", "/v1/explain", "/v1/terms", "/v1/jobs"} <= set(schema["paths"])
    page = client.get("/").text
    assert "/v1/sanitize" in page
    assert "http" not in page.replace("/openapi.json", "").replace("over HTTP", "")
    assert client.get("/docs").status_code == 404


def test_odd_methods_are_one_method_of_the_metrics(client: TestClient) -> None:
    for number in range(30):
        client.request(f"ODD{number}", "/v1/sanitize")
    lines = [line for line in client.get("/metrics").text.splitlines() if 'method="other"' in line]
    assert len(lines) == 1
    assert lines[0].endswith(" 30")
    assert "ODD" not in client.get("/metrics").text


def test_a_token_is_asked_for_where_there_is_one() -> None:
    client = TestClient(create_service(Limits(workers=1), "a token of some length"), base_url=HOME)
    assert client.get("/health").status_code == 200
    assert client.get("/metrics").status_code == 401
    assert client.post("/v1/terms", json={"text": "x"}).status_code == 401
    good = {"Authorization": "Bearer a token of some length"}
    assert client.get("/metrics", headers=good).status_code == 200
    assert client.post("/v1/terms", json={"text": 3}, headers=good).status_code == 422
    bad = {"Authorization": "Bearer a token of some other length"}
    assert client.post("/v1/terms", json={"text": "A dog."}, headers=bad).status_code == 401


def test_browsers_of_other_sites_are_refused(client: TestClient) -> None:
    body = {"text": "A dog."}
    assert client.post("/v1/terms", json=body, headers={"Origin": "https://evil.example"}).status_code == 403
    assert client.post("/v1/terms", json=body, headers={"Host": "evil.example"}).status_code == 421
    assert client.post("/v1/terms", json=body, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    plain = client.post("/v1/terms", content=json.dumps(body), headers={"Content-Type": "text/plain"})
    assert plain.status_code == 422
    assert "access-control-allow-origin" not in client.options("/v1/terms").headers


def test_no_text_in_logs_or_refusals(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = client.post("/v1/sanitize", json={"text": 7, "secret": "Tellman has AIDS", **ASKED})
        post(client, "/v1/sanitize", text="Tellman has AIDS.", **ASKED)
    assert answer.status_code == 422
    assert "Tellman" not in answer.text
    assert "Tellman" not in caplog.text


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
_FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "text": st.text(max_size=200) | st.sampled_from([NOTE, "AIDS \ud800.", "\x00", "AIDS\u2028HIV"]) | _JSON,
        "protect": st.just(["HIV"]) | st.lists(st.text(max_size=10), max_size=3) | _JSON,
        "model": st.sampled_from([told.name for told in declarations()]) | _JSON,
        "alpha": st.floats() | _JSON,
        "groups": st.integers(-1, 6) | _JSON,
        "k": st.integers(-1, 10) | _JSON,
        "t": st.integers(-1, 10**20) | _JSON,
        "w": st.floats(0, 1) | _JSON,
        "list": st.lists(st.text(max_size=8), max_size=4) | _JSON,
        "hide": st.just(["person"]) | _JSON,
        "keep": st.dictionaries(st.sampled_from(["date", "age", "x"]), st.sampled_from(["year", "all"])) | _JSON,
        "beta": st.floats() | st.text(max_size=10) | _JSON,
        "action": st.sampled_from(["generalize", "redact"]) | _JSON,
        "recall": st.floats(0, 1) | _JSON,
        "entities": st.text(max_size=8) | _JSON,
        "branches": st.lists(st.text(max_size=8), max_size=2) | _JSON,
        "reveal": st.sampled_from(["virus", "dog", ""]) | _JSON,
        "mark": st.sampled_from(["redacted", "numbered", "kind", "block"]) | _JSON,
        "term": st.text(max_size=20) | _JSON,
        "most": st.integers(-2, 600) | _JSON,
        "policy": st.sampled_from(["foia", "hipaa-safe-harbor", "x"]) | _JSON,
    },
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["sanitize", "check", "explain", "terms"]), _FIELDS | _JSON)
def test_no_request_makes_the_service_fail(client: TestClient, call: str, body: Any) -> None:
    """Any JSON at all: an answer of the schema or a refusal with its reason, never a 500, and no release unchecked."""
    content = json.dumps(body)
    answer = client.post(f"/v1/{call}", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in (200, 413, 422), answer.text
    if answer.status_code == 200 and call == "sanitize":
        assert answer.json()["certificate"]["holds"]
        if body.get("model", "c-sanitized") == "c-sanitized" and "policy" not in body and "reveal" not in body:
            model = CSanitized(protect=body["protect"], alpha=body.get("alpha"), groups=body.get("groups", 2))
            assert check(answer.json()["text"], model, Knowledge.default()).holds


def test_the_schema_has_every_parameter_of_every_model(client: TestClient) -> None:
    shown = client.get("/openapi.json").json()["components"]["schemas"]["Sanitize"]
    assert shown["properties"]["model"]["enum"] == [told.name for told in declarations()]
    assert shown["additionalProperties"] is False
    for told in declarations():
        for p in told.parameters:
            if p.is_plain and p.name != "protect":
                assert f"{told.name}: {p.says}" in json.dumps(shown["properties"][p.name])
    assert shown["properties"]["groups"]["maximum"] == 4
    assert "network" not in shown["properties"]


def test_a_name_in_a_request_opens_no_file(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "base.csv").write_text("entity,context\nHIV,fever\nflu,fever\n")
    body = {"text": "Fever.", "model": "k-safe", "protect": ["HIV"], "entities": str(tmp_path / "base.csv")}
    answer = client.post("/v1/sanitize", json=body)
    assert answer.status_code == 422
    assert "holds no entity base" in answer.text

"""Counts from PostgreSQL, against a real server started by the test."""

from __future__ import annotations

import glob
import lzma
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from taciturn import CSanitized, sanitize
from taciturn.cli.knowledge import command
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.counts.search import PostgresCounts, index_in_postgres
from taciturn.language.inflection import plural
from tests.knowledge.counts.search.servers import install, or_skip
from tests.knowledge.packs import small_pack
from tests.shared_data import SHARED, needs_shared

pytestmark = pytest.mark.slow
DRUGS = EdgeTaxonomy("drugs", [("zidovudine", "drug"), ("aspirin", "drug")])
TEXTS = [
    "The virus and HIV.",
    "Viruses need a blood transfusion, or two blood-transfusions.",
    "Zidovudine against HIV; blood first, a transfusion later.",
    "Aspirin is a drug.",
    "A quiet garden with a \"quoted\" 'cat' and 100% of it; DROP TABLE contexts.",
]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The folder of a socket on which a fresh PostgreSQL listens, and nowhere else."""
    if os.geteuid() != 0:
        pytest.skip("SKIPPED FOR WANT OF A SERVER: needs the right to run PostgreSQL as user postgres")
    if not glob.glob("/usr/lib/postgresql/*/bin/initdb"):
        with or_skip():
            install("postgresql")
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    folder = Path(tempfile.mkdtemp(prefix="taciturn-postgres-"))
    user = pwd.getpwnam("postgres")
    os.chown(folder, user.pw_uid, user.pw_gid)
    control = [str(Path(programs[-1]).with_name("pg_ctl")), "-D", str(folder / "data"), "-w"]
    settings = f"-k {folder} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB"

    def as_postgres(*arguments: str) -> None:
        with open(folder / "log", "ab") as log:
            subprocess.run(arguments, user="postgres", group="postgres", cwd=folder, check=True, stdout=log, stderr=log)

    try:
        as_postgres(programs[-1], "-D", str(folder / "data"), "-A", "trust", "-E", "UTF8", "--no-sync")
        as_postgres(*control, "-o", settings, "start")
        yield str(folder)
        as_postgres(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def table(server: str, name: str, texts: list[str]) -> Any:
    psycopg = pytest.importorskip("psycopg")
    connection = psycopg.connect(host=server, user="postgres", dbname="postgres", autocommit=True)
    connection.execute(f"CREATE TABLE {name} (id int, words tsvector)")
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {name} VALUES (%s, to_tsvector('simple', %s))", list(enumerate(texts)))
    connection.execute(f"CREATE INDEX ON {name} USING gin (words)")
    return connection


def test_counts_of_phrases_in_singular_and_plural_and_by_subsumption(server: str) -> None:
    with table(server, "small", TEXTS) as connection:
        counts = PostgresCounts(connection, "small", taxonomies=[DRUGS])
        assert counts.total == 5
        assert [counts.count(k) for k in ("virus", "HIV", "blood transfusion", "drug", "unheard")] == [2, 2, 1, 2, 0]
        assert counts.count("HIV", "drug") == 1
        assert counts.count("HIV", "virus", "drug") == 0
        assert counts.count() == 5
        assert counts.count("'quoted' | cat; DROP TABLE small --") == 0
        assert PostgresCounts(connection, "small").count("drug") == 1
        before = counts.digest
        connection.execute("DELETE FROM small WHERE id = 3")
        assert PostgresCounts(connection, "small", taxonomies=[DRUGS]).digest != before


def test_an_array_of_keys_has_the_figures_of_the_pack(server: str, tmp_path: Path) -> None:
    psycopg = pytest.importorskip("psycopg")
    pack = PackCounts(small_pack(tmp_path))
    with psycopg.connect(host=server, user="postgres", dbname="postgres") as connection:
        assert index_in_postgres(connection, "keys_of_contexts", pack) == pack.total
        counts = PostgresCounts(connection, "keys_of_contexts", keys="keys")
        keys = sorted(pack.keys())
        groups = [*[list(g) for size in (1, 2, 3) for g in combinations(keys, size)][:2000], ["hiv"], ["unheard"], []]
        assert counts.total == pack.total
        assert counts.count_many(groups).tolist() == pack.count_many(groups).tolist()
        # Capitals count, unlike in full text; a drug is one by its name or by what is one.
        assert counts.count("HIV") > counts.count("hiv") == 0
        assert counts.count("drug") > 0
        with pytest.raises(psycopg.Error):
            index_in_postgres(connection, "keys_of_contexts", pack)
        assert counts.digest == PostgresCounts(connection, "keys_of_contexts", keys="keys").digest
    plain = [["zidovudine", "HIV"], ["aspirin"], ["cat"]]
    with psycopg.connect(host=server, user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE TABLE plain (id int, keys text[])")
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO plain VALUES (%s, %s)", list(enumerate(plain)))
        counts = PostgresCounts(connection, "plain", keys="keys", taxonomies=[DRUGS])
        assert counts.count_many([["drug"], ["drug", "HIV"], ["cat", "HIV"]]).tolist() == [2, 1, 0]


def test_rows_that_share_a_number_are_refused_not_counted_as_one(server: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(host=server, user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute('CREATE SCHEMA "My notes"')
        connection.execute('CREATE TABLE "My notes".visits (visit bigint, patient int, keys text[])')
        with connection.cursor() as cursor:
            rows = [(1 << 40, 1, ["HIV"]), (1 << 41, 1, ["HIV", "cat"]), (1 << 42, None, None)]
            cursor.executemany('INSERT INTO "My notes".visits VALUES (%s, %s, %s)', rows)
        with pytest.raises(ValueError, match='"patient" has 1 different values in 3 rows'):
            PostgresCounts(connection, "My notes.visits", keys="keys", number="patient").count("HIV")
        counts = PostgresCounts(connection, "My notes.visits", keys="keys", number="visit")
        assert counts.count_many([["HIV"], ["HIV", "cat"], []]).tolist() == [2, 1, 3]


def test_a_named_state_of_one_column_is_not_that_of_another(server: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(host=server, user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute("CREATE TABLE two (id int, keys text[], words tsvector)")
        asked = [PostgresCounts(connection, "two", version="1", keys=keys) for keys in ("keys", None, "keys")]
        assert asked[0].digest == asked[2].digest != asked[1].digest


def test_the_command_puts_a_pack_into_a_database(server: str, tmp_path: Path) -> None:
    psycopg = pytest.importorskip("psycopg")
    pack = small_pack(tmp_path)
    address = f"postgresql:///postgres?host={server}&user=postgres"
    run = CliRunner().invoke(command, ["index", address, "--name", "commanded", "--knowledge", str(pack.path)])
    assert run.exit_code == 0, run.output
    with psycopg.connect(address) as connection:
        counts = PostgresCounts(connection, "commanded", keys="keys")
        assert counts.count("garden") == PackCounts(pack).count("garden") > 0
    again = CliRunner().invoke(command, ["index", address, "--name", "commanded", "--knowledge", str(pack.path)])
    assert (again.exit_code, "DuplicateTable" in again.output) == (1, True)
    nowhere = CliRunner().invoke(command, ["index", f"{address}x", "--knowledge", str(pack.path)])
    assert (nowhere.exit_code, "no connection to PostgreSQL: " in nowhere.output) == (1, True)
    assert "postgresx" in nowhere.output


@needs_shared
def test_real_contexts_give_the_figures_of_a_plain_scan(server: str) -> None:
    import json

    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt") as file:
        notes = [json.loads(line)["text"] for line in file]
    contexts = [s for note in notes for s in re.split(r"(?<=[.\n])\s+", note) if s.strip()][:5000]
    # Words of letters only, so that PostgreSQL's parser and this one cannot differ.
    contexts = [" ".join(re.findall(r"[a-z]+", s.lower())) for s in contexts]
    keys = ["patient", "blood pressure", "HIV", "hepatitis", "drug", "history", "infection", "left knee", "day", "pain"]
    sets = []
    for text in contexts:
        padded = f" {text} "
        sets.append({k for k in keys if any(f" {f.lower()} " in padded for f in (k, plural(k)))})
    plain = ContextCounts(sets)
    groups = [list(g) for size in (1, 2, 3) for g in combinations(keys, size)]
    with table(server, "notes", contexts) as connection:
        counts = PostgresCounts(connection, "notes")
        assert counts.count_many(groups).tolist() == plain.count_many(groups).tolist()
        assert counts.count("HIV") > 0
        text = "The patient has HIV and hepatitis, with pain in the left knee."
        model = CSanitized(protect=["HIV"], alpha=1.5)
        one, other = (sanitize(text, model, Knowledge(c)) for c in (counts, plain))
        assert "HIV" not in one.text
        assert other.certificate.holds
        assert one.certificate.knowledge_digest != other.certificate.knowledge_digest

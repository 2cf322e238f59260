"""Uploaded lists: what each kind takes, and what it says of malformed and hostile files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.engine.errors import BadWebFile
from apps.lists.streaming import LONGEST_LINE
from apps.topics.inputs.catalogue import list_of
from apps.topics.inputs.tables import reading
from apps.topics.inputs.tables.files import StoredTable, TableWriter
from apps.topics.inputs.tables.lines import BadTable
from apps.topics.inputs.tables.reading import Taken, read_table
from apps.topics.inputs.tables.views import ByHost, FirstOf, Keys

RANKS = (
    "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n"
    "1\t3.1E7\t2\t0.008\torg.example.www\n"
    "2\t3.0E7\t1\t0.016\torg.example\n"
    "3\t2.9E7\t3\t0.001\tuk.co.alpha.shop\n"
)


def read(
    folder: Path, kind: str, text: str | bytes, hosts: frozenset[str] = frozenset()
) -> tuple[Taken, dict[str, int]]:
    source, table = folder / "list", folder / "table.sqlite"
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    taken = read_table(source, table, list_of(kind).format, hosts)
    return taken, dict(StoredTable(table))


def test_in_link_counts_are_read_by_canonical_url(tmp_path: Path) -> None:
    text = "url,inlinks\nHTTP://A.test:80/x,7\nhttp://b.test/a,b,3\n\nhttp://c.test/,4\n"
    taken, counts = read(tmp_path, "inlinks", text)
    assert counts == {"http://a.test/x": 7, "http://b.test/a,b": 3, "http://c.test/": 4}
    assert (taken.rows, taken.errors.skipped) == (3, 0)


def test_lines_that_cannot_be_taken_are_named(tmp_path: Path) -> None:
    text = "http://a.test/,1\nnonsense,4\nhttp://b.test/,many\nhttp://c.test/,-1\n"
    taken, counts = read(tmp_path, "inlinks", text)
    assert counts == {"http://a.test/": 1}
    assert taken.errors.first == [
        (2, "nonsense,4", "not a web address such as https://www.example.org/page"),
        (3, "http://b.test/,many", "no whole number beside the address"),
        (4, "http://c.test/,-1", "no whole number beside the address"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        b"url;count\nhttp://a.test/;1234\nhttp://b.test/;20\n",
        b'url,count\nhttp://a.test/,"1,234"\nhttp://b.test/,20\n',
        b"url;count\nhttp://a.test/;1.234\nhttp://b.test/;20\n",
        b"count,url\n1234,http://a.test/\n20,http://b.test/\n",
        b"url,count,title\nhttp://a.test/,1234,A\nhttp://b.test/,20,B\n",
        "url\tcount\nhttp://a.test/\t1234.0\nhttp://b.test/\t20.0\n".encode("utf-16"),
        b"http://a.test/ ; 1234\n",
    ],
    ids=["semicolon", "thousands", "points", "count first", "title", "utf16", "one line"],
)
def test_counts_are_read_from_tables_as_people_have_them(tmp_path: Path, text: bytes) -> None:
    _, counts = read(tmp_path, "inlinks", text)
    assert counts in ({"http://a.test/": 1234, "http://b.test/": 20}, {"http://a.test/": 1234})


def test_of_several_counts_of_a_url_the_first_counts(tmp_path: Path) -> None:
    _, counts = read(tmp_path, "inlinks", "http://a.test/,1\nhttp://a.test/,9\n")
    assert counts == {"http://a.test/": 1}


def test_host_ranks_become_counts_by_the_smallest_of_the_file(tmp_path: Path) -> None:
    # 0.016 / 0.001 - 1 = 15, 0.008 / 0.001 - 1 = 7, and the smallest has 0.
    taken, counts = read(tmp_path, "ranks", RANKS)
    assert counts == {"www.example.org": 7, "example.org": 15, "shop.alpha.co.uk": 0}
    assert taken.rows == 3


def test_gzipped_ranks_with_other_columns_are_read_too(tmp_path: Path) -> None:
    text = "#pr_val\t#host_rev\t#n_hosts\n2.5\torg.a\t1\n1.0\torg.b\t2\nx\torg.c\t1\n0.5\n"
    taken, counts = read(tmp_path, "ranks", gzip.compress(text.encode()))
    assert counts == {"a.org": 2, "b.org": 0}
    assert [line for line, _, _ in taken.errors.first] == [4, 5]


def test_ranks_without_a_heading_name_what_it_must_name(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match=r"Line 1 must name the columns.*#pr_val and #host_rev"):
        read(tmp_path, "ranks", "1\t2\t3\t4\torg.example\n")


def test_a_traffic_list_ranks_hosts(tmp_path: Path) -> None:
    text = "rank,domain\n1,Example.org\n2,b.test\n0,c.test\n3,-\n"
    taken, ranks = read(tmp_path, "traffic", text)
    assert ranks == {"example.org": 1, "b.test": 2}
    assert [(line, why) for line, _, why in taken.errors.first] == [
        (4, "no rank from 1 up"),
        (5, "no host name beside the rank"),
    ]


def test_listed_sites_are_registered_domains(tmp_path: Path) -> None:
    text = "www.alpha.co.uk\nhttp://shop.alpha.co.uk/x\nbeta.org.\nnot a domain\n"
    taken, rows = read(tmp_path, "sites", text)
    assert set(rows) == {"alpha.co.uk", "beta.org"}
    assert taken.errors.first == [(4, "not a domain", "no domain, as in example.org")]


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("sites", b"", "It is empty"),
        ("sites", b"\n\n", "It is empty"),
        ("ranks", b"", "Line 1 must name the columns"),
        ("inlinks", b"a\nb\nc\n", "No line of it is usable. Line 1"),
        ("inlinks", b"\xff\xfe\x00", "Line 1 is not text in utf-16-le"),
        ("sites", b"a.test\nb\x00c\n", "Line 2 is not text"),
        ("sites", b"a.test\n" + b"x" * LONGEST_LINE, "Line 2 is longer than 1,000,000"),
        ("sites", b"\x1f\x8bnonsense", "cannot be read: it is damaged"),
        ("sites", gzip.compress(b"a.test\n" * 1000, mtime=0)[:-20], "the packed file is damaged"),
        ("sites", gzip.compress(b"\0" * 10_000_000, mtime=0), "Line 1 is longer than"),
    ],
)
def test_a_file_that_is_no_list_is_reported(
    tmp_path: Path, kind: str, content: bytes, message: str
) -> None:
    with pytest.raises(BadTable, match=message):
        read(tmp_path, kind, content)
    assert [path.name for path in tmp_path.iterdir()] == ["list"]


def test_beyond_the_first_rows_only_the_topics_hosts_are_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(reading, "MOST_ROWS", 3)
    text = "".join(f"{i},h{i}.test\n" for i in range(1, 9))
    taken, ranks = read(tmp_path, "traffic", text, frozenset({"h7.test", "h1.test"}))
    assert ranks == {"h1.test": 1, "h2.test": 2, "h3.test": 3, "h7.test": 7}
    assert taken.rows == 4


def test_the_smallest_counts_though_its_row_is_not_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(reading, "MOST_ROWS", 1)
    _, counts = read(tmp_path, "ranks", RANKS)
    assert counts == {"www.example.org": 7}


@given(st.text(max_size=300))
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_text_breaks_the_readers(tmp_path: Path, text: str) -> None:
    for kind in ("inlinks", "traffic", "sites", "ranks"):
        data = text.encode("utf-8", "replace")
        heading = b"#pr_val\t#host_rev\n" if kind == "ranks" else b""
        try:
            taken, rows = read(tmp_path, kind, heading + data)
        except BadTable:
            pass
        else:
            assert taken.rows == len(rows)
        for path in tmp_path.iterdir():
            path.unlink()


@given(st.dictionaries(st.text(max_size=20), st.integers(0, 2**31 - 1), max_size=30))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_table_is_the_dictionary_it_was_made_of(tmp_path: Path, rows: dict[str, int]) -> None:
    rows = {key.encode("utf-8", "replace").decode(): n for key, n in rows.items()}
    path = tmp_path / "table.sqlite"
    path.unlink(missing_ok=True)
    writer = TableWriter(path)
    writer.add(rows.items())
    assert writer.finish() == len(rows)
    table = StoredTable(path)
    assert dict(table) == rows and len(table) == len(rows)
    assert all(key in table and table[key] == n for key, n in rows.items())
    assert table.get("no such key, longer than any") is None


def test_a_table_that_is_gone_or_no_table_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadWebFile, match="is gone"):
        StoredTable(tmp_path / "nothing.sqlite")
    (tmp_path / "bad.sqlite").write_text("nonsense" * 100)
    with pytest.raises(BadWebFile, match="cannot be read"):
        StoredTable(tmp_path / "bad.sqlite")


def test_a_url_is_known_by_its_host_or_its_registered_domain() -> None:
    counts = ByHost({"a.test": 3, "alpha.co.uk": 5, "www.b.test": 7})
    assert counts.get("http://a.test/x/y") == 3
    assert counts.get("https://www.a.test/") == 3
    assert counts.get("http://deep.shop.alpha.co.uk/") == 5
    assert counts.get("http://www.b.test/") == 7
    assert counts.get("http://c.test/") is None


def test_the_first_table_with_a_key_gives_its_number() -> None:
    both = FirstOf([{"a": 1}, {"a": 9, "b": 0}])
    assert (both["a"], both["b"], both.get("c")) == (1, 0, None)
    assert dict(both) == {"a": 1, "b": 0} and both
    assert not FirstOf([{}, {}])


def test_the_keys_of_tables_are_a_set() -> None:
    keys = Keys([{"a": 1}, {"a": 1, "b": 1}])
    assert "b" in keys and "c" not in keys and len(keys) == 2
    assert {"a", "c"} & keys == {"a"}


CASES = Path(__file__).resolve().parents[4] / "shared" / "cases" / "files"


@pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared")
def test_the_counts_of_public_reports_are_right(tmp_path: Path) -> None:
    expected = json.loads((CASES / "expected.json").read_text())
    cases = {name: case for name, case in expected.items() if name.startswith("inlinks/")}
    assert cases
    for name, case in cases.items():
        taken, counts = read(tmp_path, "inlinks", (CASES / name).read_bytes())
        assert (counts, taken.errors.skipped) == (case["counts"], 0), name
        (tmp_path / "table.sqlite").unlink()

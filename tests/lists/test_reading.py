"""Lists as people have them: what is taken of each, and what is refused with a correction."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.urls import canonical
from apps.lists.addresses import Fault
from apps.lists.formats.format import Choices
from apps.lists.limits import BadList
from apps.lists.reading import ListReading, read_list

SHARED = Path(__file__).parents[3] / "shared" / "cases" / "files"
WELLS = [f"https://well{i}.example/deep/{i}" for i in range(1, 5)]


def urls(content: bytes | str, **choices: object) -> list[str]:
    return [entry.url for entry in read_list(content, Choices(**choices)).entries]


def table(delimiter: str, *rows: tuple[str, ...]) -> str:
    return "\r\n".join(delimiter.join(row) for row in rows) + "\r\n"


def named(i: int) -> str:
    return f"Well {i}"


ROWS = [(named(i), url) for i, url in enumerate(WELLS, 1)]


@pytest.mark.parametrize("delimiter", ["\t", ";", "|", ","])
@pytest.mark.parametrize("heading", ["Website", "HOME PAGE", "seed", "Quelle", "loc"])
def test_the_column_with_the_addresses_is_taken_whatever_its_heading(delimiter, heading) -> None:
    reading = read_list(table(delimiter, ("Name", heading), *ROWS))
    assert [entry.url for entry in reading.entries] == WELLS
    assert [entry.title for entry in reading.entries] == ["Well 1", "Well 2", "Well 3", "Well 4"]
    assert [entry.line for entry in reading.entries] == [2, 3, 4, 5]
    assert reading.columns.address == 2 and not reading.refused


def test_streets_and_page_numbers_are_no_addresses() -> None:
    rows = [(named(i), f"{i} Pump Street", url, str(i)) for i, url in enumerate(WELLS, 1)]
    assert urls(table(",", ("Name", "Address", "Web", "Page"), *rows)) == WELLS


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
def test_a_table_is_read_in_any_encoding(encoding: str) -> None:
    rows = [(f"Möhlin {i}", url) for i, url in enumerate(WELLS, 1)]
    reading = read_list(table(";", ("Träger", "Seite"), *rows).encode(encoding))
    assert [entry.url for entry in reading.entries] == WELLS
    assert reading.entries[0].title == "Möhlin 1"


def test_a_line_sep_names_the_delimiter_and_is_passed() -> None:
    reading = read_list("sep=;\r\n" + table(";", ("URL", "Titel"), *((u, "a,b") for u in WELLS)))
    assert [entry.url for entry in reading.entries] == WELLS
    assert reading.delimiter == "semicolon" and [row.line for row in reading.passed] == [1]
    assert [entry.line for entry in reading.entries] == [3, 4, 5, 6]


def test_rows_over_the_heading_are_passed_and_a_heading_may_have_two_lines() -> None:
    text = 'Wells of 2026,,\n,,\n"Name of\nthe well",URL,Country\n' + "".join(
        f"Well {i},{url},CH\n" for i, url in enumerate(WELLS, 1)
    )
    reading = read_list(text)
    assert [entry.url for entry in reading.entries] == WELLS
    assert reading.columns.heading.line == 3 and reading.entries[0].line == 5
    assert [row.cells[0] for row in reading.passed] == ["Wells of 2026"]


@pytest.mark.parametrize(
    "text",
    [
        ", ".join(WELLS),
        ",".join(WELLS),
        ",\n".join(WELLS) + ",",
        " ".join(WELLS),
        "\n".join(f'"{url}"' for url in WELLS),
        f"- {WELLS[0]}\n2. {WELLS[1]}\n* [Well 3]({WELLS[2]})\n<{WELLS[3]}>",
        f"See {WELLS[0]} (or {WELLS[1]}), “{WELLS[2]}”; then {WELLS[3]}.",
        "\n".join(f"{url}\u200b" for url in WELLS),
        "\n".join(f"\ufeff{url}\u00a0" for url in WELLS),
        json.dumps(WELLS),
        "\n".join(json.dumps({"title": "Well", "url": url}) for url in WELLS),
        json.dumps({"count": 4, "results": [{"id": i, "link": u} for i, u in enumerate(WELLS)]}),
    ],
)
def test_addresses_are_taken_out_of_text(text: str) -> None:
    assert urls(text) == WELLS


def test_rows_without_an_address_under_the_heading_are_refused_not_passed() -> None:
    reading = read_list(table(";", ("Name", "Website"), ("Well 0", ""), *ROWS, ("Well 9", "-")))
    assert [entry.url for entry in reading.entries] == WELLS and not reading.passed
    assert [(line.line, line.text) for line in reading.refused] == [(2, ""), (7, "-")]


def test_comments_are_passed_and_counted() -> None:
    reading = read_list(f"# wells\n\n{WELLS[0]}\n{WELLS[1]}   # the main one\n; old\n// older\n")
    assert [entry.url for entry in reading.entries] == WELLS[:2]
    assert [row.line for row in reading.passed] == [1, 5, 6] and reading.lines == 6


@pytest.mark.parametrize("heading", ["url", "URL", '"Link"', "website"])
def test_a_heading_over_one_column_is_passed(heading: str) -> None:
    reading = read_list("\n".join([heading, *WELLS]))
    assert [entry.url for entry in reading.entries] == WELLS and not reading.refused
    assert [row.line for row in reading.passed] == [1]


def test_bare_domains_get_https_and_are_marked() -> None:
    reading = read_list("well1.example\nwww.well2.example/about\n//well3.example/x\nWELL4.EXAMPLE")
    assert [entry.key for entry in reading.entries] == [
        "https://well1.example/",
        "https://www.well2.example/about",
        "https://well3.example/x",
        "https://well4.example/",
    ]
    assert all(entry.completed for entry in reading.entries)


@pytest.mark.parametrize(
    ("text", "fault", "correction"),
    [
        ("http//well1.example/a", Fault.SCHEME, "http://well1.example/a"),
        ("https;//well1.example/a", Fault.SCHEME, "https://well1.example/a"),
        ("https://https://well1.example/a", Fault.SCHEME_TWICE, "https://well1.example/a"),
        ("https://http//well1.example/a", Fault.SCHEME_TWICE, "http://well1.example/a"),
        ("hxxp://well1[.]example/a", Fault.DISGUISED, "http://well1.example/a"),
        ("https://well1,example/a", Fault.COMMA, "https://well1.example/a"),
        ("www,well1.example", Fault.COMMA, "https://www.well1.example"),
        ("see the annex", Fault.NO_ADDRESS, ""),
        ("report.pdf", Fault.NO_ADDRESS, ""),
        ("mail@well1.example", Fault.NO_ADDRESS, ""),
        ("ftp://well1.example/", Fault.NO_ADDRESS, ""),
        ("https://well1.example/" + "x" * 2_000, Fault.TOO_LONG, ""),
    ],
)
def test_a_line_that_is_nearly_an_address_is_refused_with_a_correction(
    text: str, fault: Fault, correction: str
) -> None:
    reading = read_list(f"{WELLS[0]}\n{text}\n")
    assert [entry.url for entry in reading.entries] == WELLS[:1]
    [refused] = reading.refused
    assert (refused.line, refused.fault, refused.correction) == (2, fault, correction)


def test_an_address_twice_is_one_entry_and_names_the_first_line() -> None:
    reading = read_list(f"{WELLS[0]}\n{WELLS[1]}\nHTTPS://WELL1.example/deep/1#top\n")
    assert [entry.url for entry in reading.entries] == WELLS[:2]
    assert [(d.line, d.first_line) for d in reading.duplicates] == [(3, 1)]


def test_what_the_canonical_spelling_drops_is_named() -> None:
    [entry] = read_list("https://well1.example/a?utm_source=mail&id=3").entries
    assert (entry.dropped, entry.key) == (("utm_source",), "https://well1.example/a?id=3")


def test_the_choices_of_a_person_count_more_than_what_is_recognised() -> None:
    text = table(";", *((f"https://mirror.example/{i}", url, "x") for i, url in enumerate(WELLS)))
    assert urls(text)[0] == "https://mirror.example/0"
    assert urls(text, column=2) == WELLS
    assert urls(text, column=2, heading=True) == WELLS[1:]
    assert len(urls(text, delimiter="lines")) == 8


def test_answers_are_recognised_by_heading_or_by_their_words() -> None:
    by_heading = table(",", ("url", "Relevant"), *zip(WELLS, "1010", strict=True))
    assert [entry.answer for entry in read_list(by_heading).entries] == ["1", "0", "1", "0"]
    words = ["yes", "no", "yes", "yes"]
    by_words = table("\t", *zip(WELLS, words, strict=True))
    assert [entry.answer for entry in read_list(by_words).entries] == words


def test_a_gzipped_list_is_unpacked_and_a_bomb_is_refused(monkeypatch) -> None:
    assert urls(gzip.compress("\n".join(WELLS).encode(), mtime=0)) == WELLS
    monkeypatch.setattr("apps.lists.limits.UNPACKED_BYTES", 1_000)
    monkeypatch.setattr("apps.lists.unpacking.UNPACKED_BYTES", 1_000)
    with pytest.raises(BadList, match="Unpacked it is larger"):
        read_list(gzip.compress(b"a" * 5_000, mtime=0))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "It is empty"),
        (b" \n\n", "It is empty"),
        (b"\x00\x01\x02\x03" * 8, "It is not text"),
        (b"\x1f\x8b broken", "gzip data is damaged"),
        (b"PK\x03\x04 broken", "damaged or encrypted workbook"),
        (b"\xd0\xcf\x11\xe0 broken", "not a workbook that can be read"),
        (b'["https://well.example/", ', "JSON is damaged at line 1"),
        (b"<urlset><url><loc>https://a.example/</url>", "XML is damaged"),
        (b"[" * 500 + b"]" * 500, "nested more than 100"),
        (b'[{"url": "https://well.example/", "n": ' + b"1" * 5_000 + b"}]", "JSON is damaged"),
        (b'{"n": ' + b"1" * 5_000 + b"}\n{}", "JSON is damaged at line 1"),
        (b"name;age\nAnna;3\nOtto;4\n", ""),
    ],
)
def test_what_is_not_a_list_is_refused_with_a_sentence(content: bytes, sentence: str) -> None:
    if sentence:
        with pytest.raises(BadList, match=sentence):
            read_list(content)
    else:
        assert not read_list(content).entries


def test_a_package_that_unpacks_to_too_much_is_no_workbook(monkeypatch) -> None:
    monkeypatch.setattr("apps.lists.limits.UNPACKED_BYTES", 10_000)
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/workbook.xml", b"0" * 50_000)
    with pytest.raises(BadList, match="Unpacked it is larger"):
        read_list(package.getvalue())


def test_a_table_without_addresses_names_the_nearest_column() -> None:
    rows = [("x", f"note {i}") for i in range(60)]
    rows[7] = ("x", WELLS[0])
    with pytest.raises(BadList, match=r"column 2 comes nearest, 1 of 60 cells"):
        read_list(table(";", *rows), Choices(delimiter="semicolon"))


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_anything_is_read_or_refused_in_a_sentence(content: bytes | str) -> None:
    try:
        reading = read_list(content)
    except BadList as error:
        assert str(error).endswith(".")
    else:
        assert_lines_add_up(reading)


PIECES = st.sampled_from(
    [*WELLS, "well9.example", "word", "", " ", "# x", "https://a,b.example", "http//x.example"]
)


@given(st.lists(st.tuples(PIECES, PIECES), min_size=1, max_size=12), st.sampled_from("\t;|,"))
def test_every_line_is_taken_refused_folded_or_passed(rows, delimiter: str) -> None:
    try:
        reading = read_list("\n".join(delimiter.join(row) for row in rows))
    except BadList:
        return
    assert_lines_add_up(reading)


def assert_lines_add_up(reading: ListReading) -> None:
    taken = {entry.line for entry in reading.entries}
    refused = {line.line for line in reading.refused}
    folded = {line.line for line in reading.duplicates}
    rows = {row.line for row in reading.rows}
    assert taken | refused | folded == rows
    keys = [entry.key for entry in reading.entries]
    assert len(keys) == len(set(keys)) and all(canonical(key) == key for key in keys)
    for line in reading.refused:
        assert not line.correction or canonical(line.correction)


def test_corrections_become_entries_or_duplicates() -> None:
    reading = read_list("https://a.example/x\nwww,b.example\nhttps://a,example/x\nnothing at all\n")
    assert [line.line for line in reading.refused] == [2, 3, 4]
    corrected = reading.with_corrections({2, 3, 4, 9})
    assert [entry.url for entry in corrected.entries] == [
        "https://a.example/x",
        "https://www.b.example",
    ]
    assert [(each.line, each.first_line) for each in corrected.duplicates] == [(3, 1)]
    assert [line.line for line in corrected.refused] == [4]


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")
def test_the_lists_of_public_reports_are_right() -> None:
    cases = json.loads((SHARED / "expected.json").read_text())
    wrong = {}
    for name, case in cases.items():
        wanted = case.get("urls") or case.get("urls_after")
        if not name.startswith("lists/") or wanted is None:
            continue
        reading = read_list((SHARED / name).read_bytes())
        if [entry.key for entry in reading.entries] != [canonical(url) for url in wanted]:
            wrong[name] = [entry.key for entry in reading.entries]
        if len(reading.refused) != case.get("bad_lines", 0):
            wrong[name] = [line.text for line in reading.refused]
    assert wrong == {}

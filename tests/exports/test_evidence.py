"""Pages without evidence, drawn at random: no format claims what a page does not have."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pytest

from apps.crawls.models import Crawl, Page
from apps.exports.formats import FORMATS
from apps.exports.rows import Selection
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import person

NAMES = ("page", "relevant", "votes_for", "votes", "probability", "topicality", "label", "why")
PAGES = 40

Rows = list[dict[str, Any]]


def of_excel(data: bytes) -> Rows:
    heading, *rows = openpyxl.load_workbook(io.BytesIO(data))["Pages"].values
    return [dict(zip(heading, row, strict=True)) for row in rows]


def of_csv(data: bytes) -> Rows:
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    return [{name: _value(text) for name, text in row.items()} for row in rows]


def _value(text: str) -> Any:
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    try:
        return float(text)
    except ValueError:
        return text


def of_parquet(data: bytes) -> Rows:
    return list(pq.read_table(io.BytesIO(data)).to_pylist())


def of_json_lines(data: bytes) -> Rows:
    return [json.loads(line) for line in data.splitlines()]


READERS: Mapping[str, Callable[[bytes], Rows]] = {
    "excel": of_excel,
    "csv": of_csv,
    "parquet": of_parquet,
    "jsonl": of_json_lines,
}


def draw(luck: random.Random, page: Page) -> Page:
    """The page with a verdict of one judge or of three, without its chance, or with none."""
    page.needs_javascript = luck.random() < 0.3
    page.topicality = luck.choice([None, 0.0, 0.42])
    of = 0 if page.needs_javascript else luck.choice([0, 1, 3])
    votes = luck.randint(0, of) if of else None
    page.votes, page.votes_of = votes, of or None
    page.relevant = None if votes is None else 2 * votes > of
    page.probability = luck.choice([None, votes / of]) if votes is not None else None
    page.seed, page.depth = luck.random() < 0.1, luck.randint(0, 3)
    return page


@pytest.fixture
def crawl(db, data_dir, request) -> Crawl:
    crawl = grow(made_crawl(made_topic(person("ada"))), PAGES)
    luck = random.Random(request.param)
    drawn = [draw(luck, page) for page in crawl.pages_fetched.order_by("seq")]
    fields = ["needs_javascript", "topicality", "votes", "votes_of", "relevant", "probability"]
    Page.objects.bulk_update(drawn, [*fields, "seed", "depth"])
    return crawl


def exported(crawl: Crawl, format: str) -> bytes:
    return b"".join(FORMATS[format].export(Selection.of_crawl(crawl, *NAMES)))


@pytest.mark.parametrize("crawl", [1, 2, 3], indirect=True)
def test_tables_have_what_the_pages_have_and_nothing_else(crawl) -> None:
    pages = {page.seq: page for page in crawl.pages_fetched.all()}
    for format, read in READERS.items():
        rows = read(exported(crawl, format))
        assert len(rows) == PAGES, format
        for row in rows:
            page = pages[int(row["page"])]
            assert row["relevant"] is page.relevant, format
            assert (row["votes_for"], row["votes"]) == (page.votes, page.votes_of), format
            for name in ("probability", "topicality"):
                has = getattr(page, name)
                assert row[name] == (None if has is None else pytest.approx(has, abs=1e-4)), format
            assert row["label"] is None
            claims_only(row["why"], page)


@pytest.mark.parametrize("crawl", [1], indirect=True)
@pytest.mark.parametrize(("format", "note"), [("bibtex", "note = {"), ("ris", "N1  - ")])
def test_references_say_of_a_page_what_it_has(crawl, format, note) -> None:
    lines = exported(crawl, format).decode().splitlines()
    notes = [line.strip().removeprefix(note) for line in lines if line.strip().startswith(note)]
    assert len(notes) == PAGES
    for page, text in zip(crawl.pages_fetched.order_by("seq"), notes, strict=True):
        claims_only(text, page)


def claims_only(why: str, page: Page) -> None:
    """The sentence names a verdict, votes, a chance and a topicality only if the page has them."""
    expected = {None: "Not judged", True: "Relevant", False: "Not relevant"}[page.relevant]
    assert why.startswith(expected), why
    assert ("probability" in why) is (page.probability is not None), why
    assert ("topicality" in why) is (page.topicality is not None), why
    assert ("judges say yes" in why) is (page.votes_of == 3), why
    assert ("JavaScript" in why) is page.needs_javascript, why
    assert "Labelled" not in why and "linked from" not in why

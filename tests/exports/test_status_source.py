"""Exports say which in-link counts a page's status was learnt from."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.models import Crawl, Page
from apps.exports import csv as csv_export
from apps.exports import gexf, jsonl
from apps.exports.rows import Selection
from tests.crawl_rows import made_crawl, made_page, made_topic

pytestmark = pytest.mark.django_db
GIVEN = {"inlinks": {"of": "csv", "name": "a<b>&.csv", "examples": 7, "positives": 20}}
WORDS = "in-links: your list a<b>&.csv, 7 of 20 positive examples known"


def crawl(**values: object) -> Crawl:
    topic = made_topic(get_user_model().objects.create_user("ada"))
    made = made_crawl(topic, **values)
    Page.objects.bulk_create([made_page(made, 1), made_page(made, 2, status=None)])
    return made


def test_it_stands_beside_every_status() -> None:
    selection = Selection.of_crawl(crawl(inputs=GIVEN), "status", "status_source")
    text = b"".join(csv_export.export(selection)).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["status_source"] for row in rows] == [WORDS, ""]
    lines = [json.loads(line) for line in jsonl.export(selection)]
    assert [line["status_source"] for line in lines] == [WORDS, None]


def test_the_head_of_a_graph_has_it_once() -> None:
    made = crawl(inputs=GIVEN)
    text = b"".join(gexf.export(Selection.of_crawl(made))).decode()
    output = f"status of crawl {made.pk}: in-links: your list a&lt;b&gt;&amp;.csv, 7 of 20 "
    assert text.count(f"<description>{output}positive examples known</description>") == 1


def test_a_crawl_without_counts_reports_nothing() -> None:
    selection = Selection.of_crawl(crawl(), "status_source")
    text = b"".join(gexf.export(selection)).decode()
    assert "<description>" not in text and "{about}" not in text
    lines = [json.loads(line) for line in jsonl.export(selection)]
    assert [line["status_source"] for line in lines] == [None, None]

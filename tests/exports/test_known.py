"""What a download says of a page beyond its own row: label, true label, crawls and strategy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.collection.indexing.index import list_pages
from apps.crawls.models import Crawl
from apps.exports import jsonl
from apps.exports.rows import Selection
from apps.topics.models import Example, Topic
from apps.webs.importing import import_web
from tests.exports.test_exports import add_page

A, B = "http://a.test/1", "http://a.test/2"


@pytest.fixture
def crawls(db, data_dir: Path) -> tuple[Crawl, Crawl]:
    """Two crawls of one topic over a labelled web: both have A, the second alone has B."""
    path = data_dir / "small.jsonl"
    path.write_text(
        "\n".join(
            json.dumps({"url": url, "html": "<p>Rye", "topics": topics})
            for url, topics in ((A, ["bread"]), (B, ["stars"]))
        )
    )
    web = import_web("small", path)[0]
    owner = get_user_model().objects.create_user("ada")
    topic = Topic.objects.create(owner=owner, name="Bread", web=web, web_label="bread")
    Example.objects.create(topic=topic, url=A, relevant=False, source=Example.Source.LABEL)
    first, second = (
        Crawl.objects.create(
            owner=owner,
            topic=topic,
            web=web,
            over="record",
            strategy=strategy,
            budget=10,
            request_limit=50,
        )
        for strategy in ("breadth_first", "full_page")
    )
    add_page(first, 1)
    add_page(second, 1)
    add_page(second, 2)
    for crawl in (first, second):
        list_pages(crawl)
    return first, second


def exported(*crawls: Crawl) -> list[tuple]:
    names = ("final_url", "label", "true_label", "crawls", "strategy")
    rows = [json.loads(line) for line in jsonl.export(Selection(crawls, names))]
    return [tuple(row[name] for name in names) for row in rows]


def test_a_page_bears_its_labels_and_its_crawls_strategy(crawls) -> None:
    second = crawls[1]
    assert exported(second) == [
        (A, False, True, f"{second.pk}", "full_page"),
        (B, None, False, f"{second.pk}", "full_page"),
    ]


def test_a_page_of_several_crawls_names_them_all(crawls) -> None:
    first, second = crawls
    both = f"{first.pk};{second.pk}"
    assert [row[3:] for row in exported(first, second)] == [
        (both, "breadth_first"),
        (both, "full_page"),
        (f"{second.pk}", "full_page"),
    ]


def test_without_a_label_of_the_web_nothing_is_reported_of_the_truth(crawls) -> None:
    Topic.objects.update(web_label="")
    assert [row[2] for row in exported(Crawl.objects.get(pk=crawls[1].pk))] == [None, None]

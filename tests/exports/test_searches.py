"""Downloads of a search hold what was counted, over all crawls of a topic."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth import get_user_model
from django.db import connection
from django.http import QueryDict
from django.template.defaultfilters import filesizeformat
from django.test import Client, RequestFactory
from django.urls import reverse
from warcio.archiveiterator import ArchiveIterator

from apps.collection.full_text.parts import QueryPart
from apps.collection.search import CollectionSearch, search_topic
from apps.collection.searched_crawls import crawls_of_topic
from apps.collection.selectors import find
from apps.crawls.models import Crawl, Page
from apps.crawls.pages.folder import crawl_folder
from apps.engine.errors import EngineError
from apps.exports.columns import SIMILARITY
from apps.exports.format import Format, columns_of
from apps.exports.formats import FORMATS
from apps.exports.row_choice import RowChoice
from apps.exports.rows import Selection, fetched_by
from apps.exports.searches import measure, selection_of
from apps.screens.downloads import views
from apps.topics.models import Example, Topic
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic
from tests.near_pages import add_pages
from tests.people import Program
from tests.query_plans import steps_of


@pytest.fixture
def topic(db, data_dir: Path) -> Topic:
    """Two crawls of twelve pages each; the first two pages of each are seeds."""
    owner = get_user_model().objects.create_user("ada")
    topic = made_topic(owner, "Tea & =biscuits")
    Example.objects.create(topic=topic, url="http://a.test/0/5", relevant=True)
    for number in range(2):
        crawl = made_crawl(topic, waiting=3)
        store(
            crawl,
            *[
                {
                    "title": f"=T{i}",
                    "url": f"http://a.test/{number}/{i}",
                    "seed": i < 2,
                    "relevant": i % 2 == 0,
                    "topicality": i / 12,
                    "text": " ".join(f"w{number}x{i}y{j}" for j in range(30))
                    + (" tea" * (i % 3 == 0)),
                }
                for i in range(12)
            ],
        )
    return topic


@pytest.fixture
def fetched(topic: Topic) -> Callable[..., bytes]:
    """What a download of the topic's collection holds."""

    def fetch(**query: str) -> bytes:
        request = RequestFactory().get("/", query)
        request.user = topic.owner
        answer = views.topic_search(request, topic.pk)

        async def body() -> bytes:
            return b"".join([piece async for piece in answer.streaming_content])

        return async_to_sync(body)()

    return fetch


def counted(topic: Topic, **query: str) -> int:
    client = Client()
    client.force_login(topic.owner)
    text = client.get(reverse("downloads:topic_count", args=[topic.pk]), query).text
    return int(re.search(r"<b>([\d,]+)</b>", text)[1].replace(",", ""))


def weighed(topic: Topic, **query: str) -> dict[str, str]:
    client = Client()
    client.force_login(topic.owner)
    address = reverse("downloads:topic_count", args=[topic.pk])
    return client.get(address, {"format": "csv", **query}).json()["sizes"]


@pytest.mark.django_db(transaction=True)
def test_the_count_is_what_comes(topic, fetched) -> None:
    for query, rows in (
        ({}, 24),
        ({"q": "tea"}, 8),
        ({"q": "tea", "relevant": "1"}, 4),
        ({"without_known": "1"}, 19),
        ({"without_seeds": "1"}, 20),
        ({"tau_from": "0.50"}, 12),
        ({"relevant": "1", "without_known": "1", "tau_from": "0.50", "host": "a.test"}, 6),
        ({"q": "nothing"}, 0),
    ):
        assert counted(topic, format="csv", **query) == rows, query
        is_what_comes(fetched, query, rows)


def is_what_comes(fetched: Callable[..., bytes], query: dict[str, str], rows: int) -> None:
    text = fetched(format="csv", **query).decode()
    lines = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(lines) == rows
    assert all(line["title"].startswith("'=") for line in lines)
    objects = [json.loads(line) for line in fetched(format="jsonl", **query).splitlines()]
    assert [o["url"] for o in objects] == [line["url"] for line in lines]
    assert all("tea" in o["text"] for o in objects if query.get("q") == "tea")
    records = ArchiveIterator(io.BytesIO(fetched(format="warc", **query)))
    urls = [r.rec_headers.get_header("WARC-Target-URI") for r in records]
    assert urls == [line["url"] for line in lines]


@pytest.mark.django_db(transaction=True)
def test_the_crawls_of_a_page_come_from_the_index_of_addresses(topic) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL reads a table so small whole")
    selection = Selection(tuple(topic.crawls.all()))
    pages = list(Page.objects.all())
    plans = steps_of(lambda: fetched_by(selection, pages))
    assert [step for plan in plans for step in plan if "collected_by_address" in step], plans


def test_a_page_of_two_crawls_is_one_row_or_a_row_a_crawl(topic, fetched) -> None:
    first, second = topic.crawls.order_by("pk")
    store(second, {"url": "http://a.test/0/3", "text": "once more"})
    both = {"crawls": f"{first.pk};{second.pk}", "final_url": "http://a.test/0/3"}

    def lines(**query: str) -> list[dict[str, str]]:
        columns = "final_url,crawl,crawls"
        text = fetched(format="csv", host="a.test", columns=columns, **query).decode()
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert len(rows) == counted(topic, format="csv", host="a.test", **query)
        return [line for line in rows if line["final_url"] == both["final_url"]]

    assert [line["crawl"] for line in lines()] == [str(second.pk)]
    assert [line["crawl"] for line in lines(crawl=str(first.pk))] == [str(second.pk)]
    assert [line["crawl"] for line in lines(per="crawl")] == [str(first.pk), str(second.pk)]
    assert [line["crawl"] for line in lines(per="crawl", crawl=str(first.pk))] == [str(first.pk)]
    assert all(line.items() >= both.items() for line in lines() + lines(per="crawl"))


@pytest.mark.django_db(transaction=True)
def test_near_duplicates_and_script_only_pages_are_left_out_of_every_format(topic, fetched) -> None:
    crawl = Crawl.objects.earliest("pk")
    twins = " ".join(f"twin{i}" for i in range(60))
    store(
        crawl,
        {"url": "http://b.test/1", "text": f"{twins} one", "relevant": False},
        {"url": "http://b.test/2", "text": f"{twins} two", "relevant": False},
        {"url": "http://b.test/3", "text": "", "needs_javascript": True, "relevant": None},
    )
    query = {"host": "b.test", "without_duplicates": "1", "without_script_only": "1"}
    assert counted(topic, format="csv", host="b.test") == 3
    assert counted(topic, format="csv", **query) == 1
    assert counted(topic, format="csv", per="crawl", **query) == 1
    for format in ("csv", "jsonl", "wacz", "gexf", "ris"):
        assert b"b.test/1" in (file := fetched(format=format, **query)), format
        assert b"b.test/2" not in file and b"b.test/3" not in file, format
    answer = ticks(topic, **{**query, "without_script_only": "0", "format": "csv"})
    assert answer == {"without_duplicates": 1, "without_script_only": 1, "relevant": 2}


def ticks(topic: Topic, **query: str) -> dict[str, int]:
    client = Client()
    client.force_login(topic.owner)
    names = {"ticks": ["without_duplicates", "without_script_only", "relevant"]}
    address = reverse("downloads:topic_count", args=[topic.pk])
    return client.get(address, {**query, **names}).json()["effects"]


@pytest.mark.django_db(transaction=True)
def test_sizes_are_exact_where_every_page_was_weighed(topic, fetched) -> None:
    query = {"relevant": "1", "host": "a.test", "tau_from": "0.50"}
    sizes = weighed(topic, **query)
    for format in ("csv", "jsonl", "warc"):
        assert sizes[format] == filesizeformat(len(fetched(format=format, **query))), format


@pytest.mark.django_db(transaction=True)
def test_other_sizes_are_about_right(topic, fetched, monkeypatch) -> None:
    monkeypatch.setattr(
        "apps.collection.selectors.SAMPLE",
        QueryPart(
            ("page_id",), "SELECT page_id FROM hits ORDER BY (page_id * 7919) %% 10007 LIMIT 10"
        ),
    )
    scope = crawls_of_topic(topic.owner, topic.pk)
    for name, size in measure(CollectionSearch().within(scope), FORMATS["csv"], None).sizes.items():
        assert size.words.startswith("≈") and not size.exact
        # Of a small Parquet file the heads of the columns weigh most.
        if FORMATS[name].holds_pages and name not in ("gexf", "parquet"):
            assert size.bytes == pytest.approx(len(fetched(format=name)), rel=0.3), name


@pytest.mark.django_db(transaction=True)
def test_pages_that_cannot_be_read_have_no_size(topic) -> None:
    for crawl in topic.crawls.all():
        for path in crawl_folder(crawl.pk).iterdir():
            path.unlink()
    search = search_topic(topic.owner, topic.pk, QueryDict(""))
    writable = {name for name, format in FORMATS.items() if can_be_written(search, format)}
    assert {"csv", "bibtex"} <= weighed(topic).keys() == writable < FORMATS.keys()


def can_be_written(search: CollectionSearch, format: Format) -> bool:
    try:
        return bool(list(format.export(selection_of(search, format, None))))
    except EngineError:
        return False


@pytest.mark.django_db(transaction=True)
def test_the_queue_of_the_crawls_looked_at(topic, fetched) -> None:
    first = Crawl.objects.earliest("pk")
    assert counted(topic, format="queue") == 6
    assert counted(topic, format="queue", crawl=str(first.pk), relevant="1") == 3
    assert fetched(format="queue").startswith(b"number,url,host,priority,priority_from")


@pytest.mark.django_db(transaction=True)
def test_one_crawl_alone_has_a_file_name_of_its_own(topic) -> None:
    client, crawl = Client(), Crawl.objects.earliest("pk")
    client.force_login(topic.owner)
    answer = client.get(reverse("downloads:crawl_search", args=[crawl.pk]), {"format": "gexf"})
    assert f'"crawl-{crawl.pk}-tea-biscuits.gexf"' in answer["Content-Disposition"]
    answer = client.get(reverse("downloads:topic_search", args=[topic.pk]), {"format": "csv"})
    assert f'"collection-{topic.pk}-tea-biscuits.csv"' in answer["Content-Disposition"]
    assert (
        client.get(
            reverse("downloads:topic_search", args=[topic.pk]), {"format": "exe"}
        ).status_code
        == 404
    )


@pytest.mark.django_db(transaction=True)
def test_a_search_that_means_nothing_is_not_downloaded(topic) -> None:
    client = Client()
    client.force_login(topic.owner)
    address = reverse("downloads:topic_search", args=[topic.pk])
    answer = client.get(address, {"format": "csv", "since": "soon", "q": "tea"}, follow=True)
    assert answer.redirect_chain[0][0].endswith("?q=tea")
    assert "Nothing was downloaded. “soon” is not a day" in answer.text


@pytest.mark.django_db(transaction=True)
def test_the_menu_begins_with_the_search(topic) -> None:
    client = Client()
    client.force_login(topic.owner)
    text = client.get(
        reverse("collection:list", args=[topic.pk]),
        {"q": "tea", "relevant": "1", "tau_from": "0.25", "host": "a.test", "without": "target"},
    ).text
    menu = text[text.index("data-download") : text.index("</form>", text.index("data-download"))]
    assert '<input type="hidden" name="q" value="tea">' in menu
    assert '<input type="hidden" name="host" value="a.test">' in menu
    assert '<input type="hidden" name="without" value="target">' in menu
    assert 'name="relevant" value="1" checked' in menu
    assert 'name="tau_from" min="0" max="0.95" step="0.05" value="0.25"' in menu
    assert menu.count('name="tau_from"') == menu.count('name="relevant"') == 1


def test_rows_of_a_near_search_have_their_similarity(owner_topic: Topic) -> None:
    add_pages(made_crawl(owner_topic), bread=8, sea=8)
    search = search_topic(
        owner_topic.owner, owner_topic.pk, QueryDict("near=dough+yeast&nearest=5")
    )
    expected = {hit.page: hit.similarity for hit in find(search).rows}
    assert len(expected) == 5 and all(expected.values())
    for name, format in FORMATS.items():
        if not format.columns:
            continue
        read = columns_of(selection_of(search, format, None), format.columns)
        assert SIMILARITY in [column.name for column in read], name
        chosen = selection_of(search, format, None, RowChoice(columns=("url", "page")))
        assert SIMILARITY not in [column.name for column in columns_of(chosen, format.columns)]
        plain = search_topic(owner_topic.owner, owner_topic.pk, QueryDict(""))
        read = columns_of(selection_of(plain, format, None), format.columns)
        assert SIMILARITY not in [column.name for column in read]
    written = b"".join(FORMATS["csv"].export(selection_of(search, FORMATS["csv"], None)))
    lines = list(csv.DictReader(io.StringIO(written.decode())))
    assert sorted(float(line["similarity"]) for line in lines) == sorted(expected.values())
    page = Page.objects.get(final_url=lines[0]["final_url"])
    assert float(lines[0]["similarity"]) == expected[page.pk]
    sent = Program(owner_topic.owner).get(
        f"topics/{owner_topic.pk}/exports/jsonl", near="dough yeast", nearest=5
    )

    async def body() -> bytes:
        return b"".join([piece async for piece in sent.streaming_content])

    rows = [json.loads(line) for line in async_to_sync(body)().splitlines()]
    assert sorted(row["similarity"] for row in rows) == sorted(expected.values())


def test_the_similarity_is_an_attribute_of_a_graph_and_in_the_note_of_a_reference(
    owner_topic: Topic,
) -> None:
    add_pages(made_crawl(owner_topic), bread=8, sea=8)
    near = search_topic(owner_topic.owner, owner_topic.pk, QueryDict("near=dough+yeast&nearest=5"))
    plain = search_topic(owner_topic.owner, owner_topic.pk, QueryDict(""))
    expected = sorted(hit.similarity for hit in find(near).rows if hit.similarity is not None)

    def written(search: CollectionSearch, name: str) -> str:
        selection = selection_of(search, FORMATS[name], None)
        return b"".join(FORMATS[name].export(selection)).decode()

    graph = ElementTree.fromstring(written(near, "gexf"))
    space = {"": "http://www.gexf.net/1.2draft"}
    titles = {row.get("title"): row.get("id") for row in graph.findall(".//attribute", space)}
    values = graph.findall(f".//attvalue[@for='{titles[SIMILARITY]}']", space)
    assert sorted(float(value.get("value", "")) for value in values) == expected
    notes = [f"{similarity:.4f}" for similarity in expected]
    pattern = re.compile(r"(?:note = \{|N1  - ).*? Similarity: (-?\d\.\d{4})\.")
    for name in ("bibtex", "ris"):
        assert sorted(pattern.findall(written(near, name)), key=float) == notes
    for name in ("gexf", "bibtex", "ris"):
        assert SIMILARITY not in written(plain, name).lower()


@pytest.fixture
def owner_topic(db, data_dir: Path) -> Topic:
    return made_topic(get_user_model().objects.create_user("ada"))

"""What a request reads for the overview, and the pages near to each example."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.collection.clusters.examples import MOST_EXAMPLES, named_examples
from apps.collection.clusters.overview import cluster_overview
from apps.collection.clusters.tasks import cluster_topic, refresh_clusters
from apps.collection.models import Clustering, Entry
from apps.collection.searched_crawls import crawls_of_topic
from apps.collection.vectors.page_vectors import space_of, vectors_by_page, vectors_of_topic
from apps.collection.vectors.terms import terms_of
from apps.stored_pages.page_text import page_text
from apps.topics.examples.page_store import page_store
from tests.crawls.run_here import bread, made_web, new_crawl, run
from tests.made_web import MadeWeb
from tests.near_pages import add_pages, make_vectors

MADE = MadeWeb(pages=80, hosts=4)


def statements(owner: User, topic: int) -> list[str]:
    """What the overview asks beyond which crawls the topic has, which comes first."""
    crawls_of_topic(owner, topic)  # indexes the newest pages
    with CaptureQueriesContext(connection) as of_crawls:
        crawls_of_topic(owner, topic)
    with CaptureQueriesContext(connection) as seen:
        cluster_overview(owner, topic)
    return [query["sql"] for query in seen.captured_queries[len(of_crawls) :]]


def test_a_request_asks_as_much_for_many_pages_as_for_few_and_reads_no_vector(crawl, owner) -> None:
    add_pages(crawl, bread=10, sea=10)
    assert cluster_topic(crawl.topic)
    few = statements(owner, crawl.topic_id)
    add_pages(crawl, bread=40, sea=40)
    assert cluster_topic(crawl.topic)
    many = statements(owner, crawl.topic_id)
    assert len(many) == len(few) <= 20
    assert not [sql for sql in many if "collection_pagevector" in sql]
    # Rows of entries are counted in the database, or asked for by their keys.
    entries = [sql for sql in many if "collection_entry" in sql]
    assert entries
    for sql in entries:
        assert "COUNT(" in sql or '"page_id" IN' in sql or " LIMIT " in sql


@pytest.mark.django_db(transaction=True)
def test_each_example_has_the_pages_as_near_as_is_typical(data_dir: Path) -> None:
    ada = User.objects.create_user("ada")
    topic = bread(ada, made_web(data_dir, MADE), MADE)
    crawl = run(new_crawl(topic, strategy="breadth_first", budget=45))
    crawls_of_topic(ada, topic.pk)
    make_vectors(crawl)
    assert cluster_topic(topic)
    job = Clustering.objects.get()
    examples = named_examples(topic)
    assert 0 < len(examples) <= MOST_EXAMPLES and all(example.relevant for example in examples)

    row = vectors_of_topic(topic.pk)
    assert row is not None and job.typical is not None
    pages, vectors = vectors_by_page(
        [*Entry.objects.values_list("page_id", flat=True)], row.version
    )
    addresses = dict(Entry.objects.values_list("page_id", "address"))
    wanted = {}
    for example in examples:
        text = page_text(page_store(topic.pk).read(example.record))
        terms = terms_of(f"{text.title}\n{text.text}", "en", ["en"])
        near = vectors @ space_of(row).place([terms])[0] >= job.typical
        passing = {addresses[page] for page, is_near in zip(pages, near, strict=True) if is_near}
        wanted[example.title or example.url] = len(passing)
    assert len({*wanted.values()}) > 1 and max(wanted.values()) > 3
    seen = cluster_overview(ada, topic.pk).examples
    assert {row.words: row.pages for row in seen} == wanted
    assert all(row.few == (row.pages < 10) for row in seen)

    attempt = job.job_attempt
    assert refresh_clusters(topic).job_attempt == attempt, "made already"
    topic.examples.filter(pk=examples[0].pk).update(relevant=False)
    assert refresh_clusters(topic).job_attempt == attempt + 1, "other examples have them made anew"

"""A site with a crawl of a hundred thousand pages, a thousand others, and some of all else."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from apps.collection.indexing.index import index_texts, list_pages, progress_of
from apps.collection.indexing.reading import read_pages
from apps.collection.vectors.page_vectors import make_page_vectors
from apps.crawls.models import Crawl, Label, Page
from apps.engine.digests import digest
from apps.experiments.design.schema import Design
from apps.experiments.models import Experiment
from apps.experiments.services import create_experiment, start
from apps.jobs import queue, tasks
from apps.jobs.models import Job
from apps.research.bench.articles import ON_TOPIC, ArticleWeb
from apps.research.bench.new_crawl import start_crawl
from apps.research.bench.screens.growing import (
    add_small_crawls,
    copied_url,
    copies_table,
    grow_crawl,
)
from apps.research.bench.whole_crawl import run_crawl
from apps.topics.copying import copy_topic
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.topics.tasks import run_here as prepare_topic
from apps.webs.importing import import_web
from apps.webs.models import Web
from apps.webs.pages.indexing import index_path, write_index

CRAWLED, HOSTS = 200, 40
"""So many pages are crawled, indexed and read; all others are copies of their rows."""
SMALL_PAGES, TOPICS, LABELS = 25, 20, 500
STRATEGY = "text_window_combo"


@dataclass(frozen=True, slots=True)
class LargeSite:
    """What the screens are asked for."""

    owner: User
    web: Web
    topic: Topic
    crawl: Crawl
    experiment: Experiment


def make_large_site(folder: Path, pages: int, crawls: int) -> LargeSite:
    """Fills the empty database of this process: about `pages` pages in one crawl and its web,
    `crawls` further crawls of some topics, labels, an experiment. `folder` is for files on the
    way."""
    owner = User.objects.create_superuser("bench")
    crawled = min(CRAWLED, max(60, pages // 10))
    articles, copies = ArticleWeb(pages=crawled, hosts=HOSTS), max(0, pages // crawled - 1)
    small, web = _make_webs(articles, copies, folder, owner)
    trained = make_topic(articles, small, owner)
    experiment = _run_experiment(owner, small, trained)
    topic = copy_topic(trained, owner)
    Topic.objects.filter(pk=topic.pk).update(web=web)
    topic.refresh_from_db()
    crawl = grow_crawl(_run_crawl(topic, crawled), copies)
    _label(crawl, owner)
    others = [copy_topic(topic, owner) for _ in range(min(TOPICS, crawls) - 1)]
    add_small_crawls(crawl, [topic.pk, *(each.pk for each in others)], crawls, SMALL_PAGES)
    do_waiting_jobs()
    return LargeSite(owner, web, topic, Crawl.objects.get(pk=crawl.pk), experiment)


def gather_statistics() -> None:
    """Does what PostgreSQL does by itself some time after so many rows were written."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def do_waiting_jobs() -> None:
    """Does what workers would do, until nothing waits."""
    while waiting := [
        job
        for model in queue.models()
        for job in model._default_manager.filter(job_state=Job.State.WAITING)
    ]:
        for job in waiting:
            tasks.run(job._meta.label_lower, job.pk, job.job_attempt)


def _make_webs(articles: ArticleWeb, copies: int, folder: Path, owner: User) -> tuple[Web, Web]:
    """A recorded web of the articles, and one of them and so many short copies of each; both with
    an index."""
    large = folder / "copied.jsonl"
    with large.open("w") as file:
        file.writelines(json.dumps(line) + "\n" for line in _with_copies(articles, copies))
    indexed = recorded_articles(articles, folder, owner)
    web, _ = import_web("copied-articles", large, owner=owner)
    write_index(indexed)
    _write_copied_index(indexed, web, articles.count, copies)
    return indexed, web


def _articles(articles: ArticleWeb) -> Iterator[dict[str, object]]:
    for number, url in enumerate(articles.urls()):
        label = "topic" if number % ON_TOPIC == 0 else "other"
        yield {"url": url, "html": articles.get(url).body.decode(), "topics": [label]}


def _with_copies(articles: ArticleWeb, copies: int) -> Iterator[dict[str, object]]:
    whole = list(_articles(articles))
    yield from whole
    for copy in range(1, copies + 1):
        for line in whole:
            html = f"<title>Copy {copy}</title><p>A short copy of {line['url']}, the {copy}th.</p>"
            yield line | {"url": copied_url(str(line["url"]), copy), "html": html}


def _write_copied_index(small: Web, large: Web, pages: int, copies: int) -> None:
    part = index_path(large).with_suffix(".part")
    shutil.copyfile(index_path(small), part)
    base = sqlite3.connect(part)
    base.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
    head = copies_table(copies)
    base.execute(
        f"INSERT INTO pages {head} SELECT number + k * ?, url || '?copy=' || k, host, title, words,"
        " language, published, precision FROM pages CROSS JOIN copies",
        (pages,),
    )
    base.execute(
        f"INSERT INTO labelled {head} SELECT label, page + k * ? FROM labelled CROSS JOIN copies",
        (pages,),
    )
    base.execute(
        "INSERT INTO page_words (rowid, title, text, address) SELECT number, title, title, title"
        " FROM pages WHERE number >= ?",
        (pages,),
    )
    base.commit()
    base.close()
    part.rename(index_path(large))


def recorded_articles(articles: ArticleWeb, folder: Path, owner: User) -> Web:
    """A recorded web of the articles; `folder` is for a file on the way."""
    path = folder / "articles.jsonl"
    with path.open("w") as file:
        file.writelines(json.dumps(line) + "\n" for line in _articles(articles))
    web, _ = import_web("articles", path, owner=owner)
    return web


def make_topic(articles: ArticleWeb, web: Web, owner: User) -> Topic:
    """A trained topic of the articles' web."""
    on, off = (
        [articles.url(n) for n in range(articles.count) if (n % ON_TOPIC == 0) is wanted]
        for wanted in (True, False)
    )
    half = len(on) // 4
    definition = Definition(
        name="Articles",
        keywords=("articles",),
        language="en",
        web_id=web.pk,
        lists={
            "seeds": "\n".join((*on[:3], *off[:3])),
            "positives": "\n".join(on[:half]),
            "negatives": "\n".join(off[: 2 * half]),
            "evaluation_positives": "\n".join(on[half : 2 * half]),
            "evaluation_negatives": "\n".join(off[-2 * half :]),
            "targets": "\n".join(on[2 * half :]),
        },
    )
    topic = create_topic(owner, definition).topic
    prepare_topic(topic)
    return topic


def _run_crawl(topic: Topic, pages: int) -> Crawl:
    crawl = run_crawl(start_crawl(topic, STRATEGY, pages, random_seed=1))
    list_pages(crawl)
    index_texts(crawl)
    progress = progress_of(crawl)
    assert progress is not None
    read_pages(progress)
    make_page_vectors(crawl)
    crawl.refresh_from_db()
    return crawl


def _run_experiment(owner: User, web: Web, topic: Topic) -> Experiment:
    design = Design.read(
        {
            "name": "Two crawlers",
            "web": web.name,
            "topics": [topic.name],
            "crawlers": [{"strategy": "full_page"}, {"strategy": "breadth_first"}],
            "pages": 40,
            "repetitions": 2,
        }
    )
    experiment = create_experiment(owner, design)
    start(experiment)
    do_waiting_jobs()
    experiment.refresh_from_db()
    return experiment


def _label(crawl: Crawl, owner: User) -> None:
    pages = Page.objects.filter(crawl=crawl).values_list("seq", "final_url", "relevant")[:LABELS]
    Label.objects.bulk_create(
        Label(
            crawl=crawl,
            seq=seq,
            address=digest(url),
            relevant=bool(relevant),
            by=owner,
            at=timezone.now(),
        )
        for seq, url, relevant in pages
    )

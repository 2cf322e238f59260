"""A crawl that reads the first kilobytes of a page, as LC's did (10 KB)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.pages.bodies import stored_answer
from apps.exports import jsonl
from apps.exports.rows import Selection
from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.services import create_topic
from apps.webs.importing import import_web
from tests.crawls.run_here import new_crawl, run

# The first link stands within the first kilobyte of the page, the second behind it.
PAGES = {
    "http://a.test/": f"<a href=/near>near</a><p>{'flour ' * 300}</p><a href=/far>far</a>",
    "http://a.test/near": "<p>near</p>",
    "http://a.test/far": "<p>far</p>",
}


@pytest.fixture
def topic(data_dir: Path, transactional_db):
    owner = get_user_model().objects.create_user("ada")
    path = data_dir / "long.jsonl"
    path.write_text(
        "\n".join(
            json.dumps({"url": url, "html": html, "topics": []}) for url, html in PAGES.items()
        )
    )
    web = import_web("long", path)[0]
    definition = Definition(name="long", web_id=web.pk, lists={"seeds": "http://a.test/"})
    saved = create_topic(owner, definition)
    tasks.run_here(saved.topic)
    return saved.topic


@pytest.mark.parametrize(
    ("politeness", "paths"), [({}, {"/", "/near", "/far"}), ({"page_kb": 1}, {"/", "/near"})]
)
def test_links_behind_the_limit_are_not_seen(topic, politeness, paths) -> None:
    crawl = run(new_crawl(topic, "breadth_first", budget=3, politeness=politeness))
    urls = set(crawl.pages_fetched.values_list("final_url", flat=True))
    assert urls == {f"http://a.test{path}" for path in paths}


def test_what_is_shown_of_a_page_is_what_the_crawl_read(topic) -> None:
    crawl = run(new_crawl(topic, "breadth_first", budget=1, politeness={"page_kb": 1}))
    answer = stored_answer(crawl, crawl.pages_fetched.get())
    assert (len(answer.body), answer.truncated) == (1024, True)


def test_what_is_downloaded_of_a_page_is_what_the_crawl_read(topic) -> None:
    crawl = run(new_crawl(topic, "breadth_first", budget=1, politeness={"page_kb": 1}))
    (line,) = jsonl.export(Selection.of_crawl(crawl, "text"))
    text = json.loads(line)["text"]
    assert text.startswith("near\n\nflour") and "far" not in text

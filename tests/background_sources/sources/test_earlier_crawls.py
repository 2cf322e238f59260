"""Pages of earlier crawls as a background: drawn evenly, without those of the topic's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.backgrounds.files import texts_of
from apps.topics.inputs.background import freeze
from apps.topics.services import choose_background
from tests.background import work_on
from tests.crawls.run_here import bread, made_web, new_crawl, run
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)


def test_their_pages_count_once_and_not_for_the_topic_they_were_fetched_for(
    data_dir: Path,
) -> None:
    ada = person("ada")
    topic = bread(ada, made_web(data_dir))
    crawls = [run(new_crawl(topic, "breadth_first", budget=15)) for _ in range(2)]
    made = services.make_background(
        ada, BackgroundSent(source="crawls", options={"crawls": [crawl.pk for crawl in crawls]})
    )
    work_on(made.newest)
    pages = set(crawls[0].pages_fetched.values_list("final_url", flat=True))
    texts = texts_of(made.ready)
    assert {pair[-1] for pair in texts.urls} == pages
    assert made.ready.made_of == f"{len(pages)} pages of 2 crawls, drawn evenly"
    assert set(texts.origins.tolist()) == {topic.pk}
    choose_background(topic, made)
    assert freeze(topic)["rows"] == 0

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.commands.limits.slope import parse
from apps.crawls.errors import CrawlRefused
from apps.crawls.messages import state_words
from apps.engine.codes import State, StopReason
from tests.crawl_rows import made_crawl, made_topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run


def test_a_crawl_ends_when_little_is_left_and_goes_on_with_less(
    transactional_db, data_dir: Path
) -> None:
    owner = get_user_model().objects.create_user("ada")
    topic = run_here.bread(owner, run_here.made_web(data_dir))
    crawl = new_crawl(topic, "breadth_first", budget=1000)
    COMMANDS["slope"].act(crawl, "999", owner)
    crawl = run(crawl)
    assert (crawl.state, crawl.reason) == (State.FINISHED, StopReason.LITTLE_LEFT)
    message = state_words(crawl)
    assert message.action == "slope" and "fewer than 999 relevant pages." in message.reason
    assert message.reason.startswith(f"little is left after {crawl.pages} pages: ")
    assert "of the relevant pages within reach" in message.outlook
    assert "; the next 1,000 requests should add" in message.outlook
    pages = crawl.pages
    COMMANDS["slope"].act(crawl, "", owner)
    assert run(crawl).reason == StopReason.FRONTIER_EMPTY and crawl.pages > pages


@pytest.mark.django_db
def test_fewer_than_asked_for_already_is_refused() -> None:
    crawl = made_crawl(
        made_topic(get_user_model().objects.create_user("ada")),
        metrics={
            "estimated_recall": 0.82,
            "estimated_recall_low": 0.74,
            "estimated_recall_high": 0.9,
            "relevant_soon": 31.2,
        },
    )
    with pytest.raises(CrawlRefused, match="expected already"):
        COMMANDS["slope"].act(crawl, "40", crawl.owner)
    COMMANDS["slope"].act(crawl, "30", crawl.owner)
    assert crawl.slope == 30


@pytest.mark.parametrize("text", ["0", "-5", "1001", "nan", "few"])
def test_what_is_not_a_number_of_pages_is_refused(text: str) -> None:
    with pytest.raises(CrawlRefused, match="above 0 and up to 1,000"):
        parse(text)

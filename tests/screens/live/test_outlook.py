"""The outlook of a crawl: what is left to find, and what that rests on."""

from __future__ import annotations

import pytest

from apps.crawls.models import Crawl
from apps.screens.live.fragments import fragments
from apps.screens.live.live_state import read
from tests.crawl_rows import grow

pytestmark = [pytest.mark.django_db, pytest.mark.alike]

ESTIMATE = {
    "estimated_recall": 0.82,
    "estimated_recall_low": 0.74,
    "estimated_recall_high": 0.9,
    "relevant_soon": 31.2,
}


def shown(crawl: Crawl, **values: object) -> str:
    Crawl.objects.filter(pk=crawl.pk).update(**values)
    state = read(crawl.pk)
    assert state is not None
    return " ".join(fragments(state)["outlook"].replace("\u202f", " ").split())


def test_it_estimates_how_much_is_reached_and_what_comes(crawl: Crawl) -> None:
    message = shown(grow(crawl, 60), metrics=ESTIMATE, recall=0.85)
    assert "About 82 % (74–90) of the relevant pages within reach are found" in message
    assert "the next 1,000 requests should add about 31." in message
    assert "rarer (judged by committee), continued" in message
    assert "85 % <a" in message and message.count("no limit") == 1
    assert 'href="#recall-panel"' in message and 'href="#slope-panel"' in message


def test_before_an_estimate_it_states_when_there_will_be_one(crawl: Crawl) -> None:
    assert "needs 50 requests and a relevant page beside the seeds" in shown(crawl, metrics={})
    words = shown(crawl, metrics={}, judged_by="guiding_classifier")
    assert "Label 10 of its pages" in words

"""What a first crawl costs, in words."""

from __future__ import annotations

from apps.begin.models import Draft
from apps.begin.start_cost import StartCost, start_cost
from tests.crawl_rows import grow, made_crawl, made_topic


def test_before_any_crawl_the_pause_gives_the_time_on_one_host(owner) -> None:
    cost = start_cost(Draft(owner=owner))
    assert cost.requests == "1,000 to 5,000"
    assert cost.time == "33 min on one host, less on several"


def test_earlier_crawls_of_the_live_web_estimate_it_better(owner) -> None:
    crawl = grow(made_crawl(made_topic(owner)), 200)
    crawl.politeness = {"delay": 2.0}
    crawl.seconds = 600
    crawl.save()
    basis = f"by your crawl #{crawl.pk} there"
    assert start_cost(Draft(owner=owner)) == StartCost("about 1,100", "50 min", basis)


def test_a_recorded_web_gets_no_request(owner, web) -> None:
    assert start_cost(Draft(owner=owner, web=web)).requests == "none"

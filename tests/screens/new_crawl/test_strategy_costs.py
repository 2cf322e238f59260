"""What strategies cost on a web, against Full page."""

from __future__ import annotations

import pytest

from apps.screens.new_crawl.strategy_costs import strategy_costs
from apps.webs.selectors import live_web
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person, site_of


@pytest.mark.django_db
def test_costs_are_ratios_of_processor_time_by_the_crawls_that_one_sees() -> None:
    ada, bob = person("ada"), person("bob")
    topic, other = made_topic(ada), made_topic(bob, "Peat")
    made_crawl(topic, strategy="learner", pages=200, cpu_seconds=3)
    assert strategy_costs(ada, live_web()) == {}, "without the baseline there is no ratio"
    made_crawl(topic, strategy="full_page", pages=100, cpu_seconds=1)
    made_crawl(topic, strategy="full_page", pages=300, cpu_seconds=3)
    made_crawl(topic, strategy="hits", pages=99, cpu_seconds=9)
    made_crawl(other, strategy="pagerank", pages=500, cpu_seconds=9)
    assert strategy_costs(ada, live_web()) == {"learner": "1.5 ×", "full_page": "1.0 ×"}
    page = site_of(ada).get(f"/topics/{topic.pk}/new-crawl/").text
    assert "1.5 ×" in page and "has-costs" in page
    assert "has-costs" not in site_of(bob).get(f"/topics/{other.pk}/new-crawl/").text

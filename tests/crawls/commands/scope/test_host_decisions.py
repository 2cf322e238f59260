"""Crawls obey what is decided on hosts: at their start, while they run, when they go on."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.limits.budget import continue_with
from apps.crawls.commands.scope.host_decisions import KIND, notify_crawls
from apps.crawls.models import Crawl
from apps.crawls.packing import unpack_numbers
from apps.engine.codes import Exclusion
from apps.topics.hosts import decide
from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


def hosts(crawl: Crawl, after: int = 0) -> set[str]:
    return set(crawl.pages_fetched.filter(request__gt=after).values_list("host", flat=True))


def test_a_host_that_is_out_is_never_asked_and_the_event_names_it(topic: Topic) -> None:
    decide(topic, ["h1.test", "h2.test"], "out", topic.owner)
    crawl = run(new_crawl(topic))
    assert len(hosts(crawl)) == 4 and not hosts(crawl) & {"h1.test", "h2.test"}
    assert crawl.events.get(kind=KIND).payload["out"] == ["h1.test", "h2.test"]
    assert crawl.excluded_reasons[Exclusion.HOST_OUT] > 0


def test_a_running_crawl_obeys_at_once_and_a_finished_one_when_it_goes_on(topic: Topic) -> None:
    def decide_once(crawl: Crawl) -> None:
        if crawl.pages >= 10 and not topic.host_decisions.exists():
            decide(topic, ["h1.test"], "out", topic.owner)
            assert notify_crawls(topic, topic.owner) == 1

    crawl = run(new_crawl(topic), decide_once)
    event = crawl.events.get(kind=KIND)
    assert event.by == topic.owner and 10 <= event.pages < 60
    assert "h1.test" not in hosts(crawl, event.request + 1)
    decide(topic, ["h1.test"], "undecided", topic.owner)
    assert notify_crawls(topic) == 0
    continue_with(crawl, 150)
    run(crawl)
    undecided = crawl.events.filter(kind=KIND).last()
    assert undecided.payload["undecided"] == ["h1.test"]
    assert "h1.test" in hosts(crawl, undecided.request)


@pytest.mark.parametrize("reach", ["in", "one_link"])
def test_a_crawl_keeps_to_the_hosts_that_are_in(topic: Topic, reach: str) -> None:
    seed_hosts = {url.split("/")[2] for url in topic.seeds.values_list("url", flat=True)}
    decide(topic, sorted(seed_hosts), "in", topic.owner)
    crawl = run(new_crawl(topic, scope={"reach": reach}, budget=240))
    fetched_in = crawl.pages_fetched.filter(host__in=seed_hosts).values("seq")
    beyond = {
        number
        for row in crawl.outlinks.filter(seq__in=fetched_in)
        for number in unpack_numbers(row.targets).tolist()
        if reach == "one_link"
    }
    for page in crawl.pages_fetched.filter(parent__gte=0):
        assert page.host in seed_hosts or page.number in beyond, page.url
    assert crawl.pages > 3 and crawl.excluded_reasons[Exclusion.HOST_NOT_IN] > 0

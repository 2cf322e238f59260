"""Every code that a crawl can show has its words."""

from __future__ import annotations

import pytest

from apps.crawls import messages
from apps.crawls.inputs.needs import strategy_needs
from apps.crawls.models import Crawl
from apps.engine.codes import Bottleneck, Exclusion, Need, StopReason
from apps.topics.models import Topic


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (StopReason, messages.REASONS),
        (Need, strategy_needs()),
        (Exclusion, messages.EXCLUSIONS),
        (Bottleneck, messages.BOTTLENECKS),
    ],
)
def test_every_code_has_its_words(codes, words):
    assert set(words) == set(codes)


@pytest.mark.parametrize(
    ("load", "agents", "words", "wants_agents"),
    [
        ({}, 0, "not known: nothing has been measured yet", False),
        (
            {
                "bottleneck": "politeness",
                "resting": 38,
                "under_way": 3,
                "least_delay": 2.0,
                "most_delay": 2.0,
            },
            1,
            "politeness: 41 hosts at 2 s",
            False,
        ),
        (
            {"bottleneck": "politeness", "resting": 1, "least_delay": 0.5, "most_delay": 2.0},
            1,
            "politeness: 1 host at 0.5 to 2 s",
            False,
        ),
        ({"bottleneck": "robots", "robots": 3}, 1, "waits for robots.txt of 3 hosts", False),
        (
            {"bottleneck": "at_once", "allowed": 32},
            1,
            "requests at once: all 32 are under way",
            False,
        ),
        ({"bottleneck": "pace"}, 1, "the pace asked for: 4 pages/s", False),
        ({"bottleneck": "agents"}, 2, "agents, always busy", True),
        ({"bottleneck": "coordinator"}, 2, "the coordinator, always busy", False),
        ({"bottleneck": "coordinator"}, 0, "the coordinator, which fetches alone", True),
    ],
)
def test_what_limits_a_crawl_is_reported_with_its_numbers(load, agents, words, wants_agents):
    crawl = Crawl(load=load, agents=agents, politeness={"pages_per_second": 4.0})
    limit = messages.limit_words(crawl)
    assert (limit.words, limit.wants_agents) == (words, wants_agents)


def ended(pages: int, script: int | None) -> Crawl:
    return Crawl(
        pages=pages,
        state="finished",
        reason=StopReason.FRONTIER_EMPTY,
        metrics={"needs_javascript": script},
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("script", "warns"), [(12, True), (3, True), (2, False), (None, False)])
def test_over_a_fifth_of_pages_that_need_javascript_warns_with_the_remedy(script, warns):
    words = messages.state_words(ended(12, script)).reason
    assert ("need JavaScript, which is not run" in words and "WARC" in words) is warns
    assert ("Add seeds or widen the scope" in words) is not warns


@pytest.mark.django_db
def test_a_crawl_that_nobody_judges_has_a_reason():
    crawl = ended(12, None)
    crawl.topic = Topic(quality={"advice": ["at_chance"]})
    crawl.judged_by, crawl.state, crawl.reason = "none", "running", StopReason.LEARNING
    outlook = messages.state_words(crawl).outlook
    assert outlook.startswith("Pages are not judged: The classifier cannot tell")
    crawl.judged_by = "committee"
    assert messages.state_words(crawl).outlook == ""

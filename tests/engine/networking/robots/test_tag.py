from __future__ import annotations

import pytest

from apps.engine.answers import Answer
from apps.engine.networking.robots.tag import robots_tag
from tests.engine.networking.robots.answers import AGENT


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], (False, False)),
        (["noindex"], (True, False)),
        (["NoIndex, NoFollow"], (True, True)),
        (["none"], (True, True)),
        (["all"], (False, False)),
        (["noarchive", "nofollow"], (False, True)),
        (["otherbot: noindex"], (False, False)),
        (["crawlsite: noindex, nofollow"], (True, True)),
        (["otherbot: noindex, nofollow"], (False, False)),
        (["otherbot: noindex, crawlsite: nofollow"], (False, True)),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"], (True, False)),
        (["max-snippet: 5, noindex"], (True, False)),
    ],
)
def test_it_reads_the_x_robots_tag(values, expected):
    headers = tuple(("X-Robots-TAG", value) for value in values)
    assert robots_tag(Answer("u", "u", 200, headers), AGENT) == expected


def test_the_metas_named_after_the_crawler_count_like_its_headers():
    answer = Answer("http://a.test/", "http://a.test/", 200)
    rules = "otherbot: none\ncrawlsite: nofollow"
    assert robots_tag(answer, AGENT, rules) == (False, True)

from __future__ import annotations

import pytest
from django.http import Http404

from apps.experiments.results.crawls.chosen import chosen_crawls, read_numbers
from apps.schemas.refused import Refused
from tests.people import person


def test_numbers_come_in_any_shape_each_once():
    assert read_numbers(["12,7", "#7", " 3 ,"]) == (12, 7, 3)
    assert read_numbers([]) == ()


@pytest.mark.parametrize("text", ["x", "1;2", "-1", "٣", "9" * 30])
def test_what_is_not_a_number_is_named(text):
    with pytest.raises(Refused, match="is not the number of a crawl") as refused:
        read_numbers([text])
    assert refused.value.field == "crawls"


def test_two_to_eight_crawls_in_their_order_and_none_of_others(ended, topic):
    crawls = [ended(1) for _ in range(3)]
    numbers = [crawl.pk for crawl in reversed(crawls)]
    assert [crawl.pk for crawl in chosen_crawls(topic.owner, numbers)] == numbers
    for wrong in (numbers[:1], range(9), ()):
        with pytest.raises(Refused, match="Give 2 to 8 crawls"):
            chosen_crawls(topic.owner, wrong)
    with pytest.raises(Http404):
        chosen_crawls(person("eve"), numbers)

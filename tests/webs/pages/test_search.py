"""What of a search of a web's pages means nothing."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.webs.pages.search import PageSearch


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("q=(((", "“(((” has no word or number to look for."),
        ('q="', "has no word or number"),
        ("q=title:*", "has no word or number"),
        ('q=url:""', "has no word or number"),
        ("words_from=abc", "“abc” is not a number of words."),
        ("words_to=9999999999", "is not a number of words"),
        ("inlinks=many", "“many” is not a number of in-links; give none, 1-9, 10-99, 100-up."),
        ("topic=x", "“x” is not the number of a topic."),
        ("order=up", "“up” is not an order"),
        ("words_from=1200&words_to=5", "No page has at least 1,200 words and at most 5."),
    ],
)
def test_what_means_nothing_is_named_at_its_field(query: str, sentence: str) -> None:
    address = QueryDict(query)
    (wrong,) = PageSearch.read(address).misread(address)
    assert wrong.field == query.partition("=")[0] and sentence in wrong.message


def test_what_can_be_looked_for_is_no_mistake() -> None:
    for query in (
        "q=",
        "q=%00 ",
        "q=-owl",
        "q=url:/a-",
        "q=title:7",
        f"q={'x' * 300}",
        "words_from=&words_to= 7 ",
        "order=",
        "topic=0&label=zzz",
        "x=y",
    ):
        address = QueryDict(query)
        assert PageSearch.read(address).misread(address) == (), query

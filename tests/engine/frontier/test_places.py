"""The place of an address, and what an address that was made to be expensive costs."""

from __future__ import annotations

import pytest

from apps.engine.frontier.places import below, place_of, shape_of


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://h.test/", "h.test/"),
        ("http://h.test/about.html", "h.test/"),
        ("http://h.test/people/anna-smith", "h.test/people/"),
        ("http://h.test/calendar/2026/11", "h.test/calendar/"),
        ("http://h.test/a/b/c/2026/11/17", "h.test/a/b/c/"),
        ("http://h.test/v1.2/page7.html", "h.test/"),
        ("http://h.test/shop?color=1", "h.test/shop?"),
        ("http://h.test/item/17?tab=all", "h.test/item/"),
        ("http://h.test/a/b/c/d", "h.test/a/"),
        ("http://h.test/a/b/", "h.test/a/"),
        ("http://h.test/d/" + "x" * 500_000, "h.test/d/"),
    ],
)
def test_the_place_of_an_address(url: str, place: str) -> None:
    assert place_of(url) == place
    assert below(url, place) is not None


def test_the_shape_of_an_address_tells_numbers_words_and_marks_apart():
    assert [shape_of(part) for part in ("2026/11", "anna-smith", "k3j9.html")] == [
        "9/9", "a-a", "x.a"
    ]

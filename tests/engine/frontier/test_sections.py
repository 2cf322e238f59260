"""The place of an address, and what an address that was made to be expensive costs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.frontier import sections
from apps.engine.frontier.sections import (
    all_below,
    below,
    is_endless,
    mixes,
    section_of,
    shape_of,
)


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
    assert section_of(url) == place
    assert below(url, place) is not None


def test_the_shape_of_an_address_tells_numbers_words_and_marks_apart():
    assert [shape_of(part) for part in ("2026/11", "anna-smith", "k3j9.html")] == [
        "9/9",
        "a-a",
        "x.a",
    ]


@given(st.text(alphabet="abzAZ019_-%./~ é中٣²", max_size=12))
def test_the_shape_is_found_run_by_run_too(part: str) -> None:
    assert shape_of(part) == sections._RUN.sub(sections._kind, part)
    assert mixes(part) is (shape_of(part) == "x")


@given(st.lists(st.sampled_from("ab1"), min_size=3, max_size=9))
def test_only_addresses_whose_path_repeats_itself_are_matched_in_full(segments):
    path = "/".join(segments)
    found = sections._FOLLOWS_ITSELF.search("/" + path)
    repeats = found is not None and not found[1].replace("/", "").isdigit()
    assert is_endless(f"http://h.test/{path}") == repeats


def test_the_rest_of_many_addresses_of_one_place():
    urls = ("http://h.test/p/1", "https://h.test/p/2?x=http://h.test/p/3", "http://o.test/p/1", "")
    assert list(all_below(urls, "h.test/p/")) == ["1", "2?x=http://h.test/p/3"]
    assert list(all_below(("http://h.test/shop?a=1",), "h.test/shop?")) == ["?a=1"]

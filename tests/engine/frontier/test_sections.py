"""The place of an address, and what an address that was made to be expensive costs."""

from __future__ import annotations

from urllib.parse import quote

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
    slots,
    with_kinds,
)


@pytest.mark.parametrize(
    ("url", "section"),
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
def test_the_place_of_an_address(url: str, section: str) -> None:
    assert section_of(url) == section
    assert below(url, section) is not None


def test_the_shape_of_an_address_distinguishes_numbers_words_and_marks():
    assert [shape_of(part) for part in ("2026/11", "anna-smith", "k3j9.html")] == [
        "9/9",
        "a-a",
        "x.a",
    ]


@given(st.text(alphabet="abzAZ019_-%./~ é中٣²", max_size=12))
def test_the_shape_is_found_run_by_run_too(part: str) -> None:
    kinds = with_kinds(part)
    assert shape_of(part) == sections._RUN.sub(sections._kind, kinds)
    assert mixes(part) is (shape_of(part) == "x")
    assert len(kinds) == len(part)


@given(st.text(alphabet="azЖ中٣9/·–\u0301\U0001d400", max_size=8))
def test_an_escaped_address_is_judged_like_what_it_stands_for(part: str) -> None:
    escaped = quote(part, safe="/")
    assert "%" not in (kinds := with_kinds(escaped))
    at = 0
    for character in part:
        end = at + len(quote(character, safe="/"))
        is_mark = character == "\u0301"
        assert kinds[at:end].isalpha() == (character.isalpha() or is_mark)
        assert kinds[at:end].isdecimal() == character.isdecimal()
        at = end


@pytest.mark.parametrize(
    ("url", "section"),
    [
        (f"http://h.test/wiki/{quote('Хлеб_и_вода')}", "h.test/wiki/"),
        (f"http://h.test/{quote('面包')}/{quote('第3章')}", f"h.test/{quote('面包')}/"),
        (
            f"http://h.test/a/b/c/{quote('تقويم')}/{quote('٢٠٢٦')}",
            f"h.test/a/b/c/{quote('تقويم')}/",
        ),
        ("http://h.test/New%20York/sights", "h.test/New%20York/"),
        ("http://h.test/a/%FF%B1/x", "h.test/a/%FF%B1/"),
        ("http://h.test/a/50%25/x", "h.test/a/"),
    ],
)
def test_escapes_of_letters_are_no_digits(url: str, section: str) -> None:
    assert section_of(url) == section


def test_a_word_of_another_script_is_no_session() -> None:
    assert not list(slots(f"http://h.test/wiki/{quote('Хлеб')}"))
    assert not mixes(quote("Хлеб")) and shape_of(quote("Хлеб")) == "a"
    (slot,) = slots(f"http://h.test/{quote('ж')}/k3j9")
    assert slot[1] == "k3j9"


@given(st.lists(st.sampled_from("ab1"), min_size=3, max_size=9))
def test_only_addresses_whose_path_repeats_itself_are_matched_in_full(segments):
    path = "/".join(segments)
    match = sections._FOLLOWS_ITSELF.search("/" + path)
    repeats = match is not None and not match[1].replace("/", "").isdigit()
    assert is_endless(f"http://h.test/{path}") == repeats


def test_the_rest_of_many_addresses_of_one_place():
    urls = ("http://h.test/p/1", "https://h.test/p/2?x=http://h.test/p/3", "http://o.test/p/1", "")
    assert list(all_below(urls, "h.test/p/")) == ["1", "2?x=http://h.test/p/3"]
    assert list(all_below(("http://h.test/shop?a=1",), "h.test/shop?")) == ["?a=1"]

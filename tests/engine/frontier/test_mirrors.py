"""Norconex/crawler#596, apify/crawlee#1870, elastic/crawler#495: mirrors that name their canonical
address."""

from __future__ import annotations

import json

from apps.engine.frontier.mirrors import Mirrors
from apps.engine.parsing.document import parse_html

BARE, WWW = "http://a.test/1", "http://www.a.test/1"


def page(url: str, canonical: str, text: str = "the river gauge"):
    html = f"<link rel=canonical href='{canonical}'><p>{text}"
    return url, parse_html(html, url)


def test_the_second_page_of_a_mirror_is_a_copy_whichever_comes_first():
    mirrors = Mirrors()
    assert not mirrors.is_copy(*page(WWW, BARE), has_canonical=False)
    assert mirrors.is_copy(*page(BARE, BARE), has_canonical=False)
    assert mirrors.is_copy(*page("https://a.test/1", BARE, "other words"), has_canonical=False)


def test_a_mirror_of_a_page_that_names_no_address_is_a_copy():
    assert Mirrors().is_copy(*page(WWW, BARE), has_canonical=True)


def test_a_print_copy_is_one_with_the_same_words_only():
    mirrors = Mirrors()
    assert not mirrors.is_copy(*page(BARE, BARE), has_canonical=False)
    assert mirrors.is_copy(*page(f"{BARE}?print=1", BARE), has_canonical=True)
    assert not mirrors.is_copy(*page(f"{BARE}?page=2", BARE, "more"), has_canonical=True)


def test_a_site_that_names_its_home_page_everywhere_keeps_its_pages():
    mirrors, home = Mirrors(), "http://a.test/"
    assert not mirrors.is_copy(*page(home, home, "home"), has_canonical=False)
    for i in range(5):
        url = f"http://a.test/p{i}"
        assert not mirrors.is_copy(*page(url, home, f"story {i}"), has_canonical=True)


def test_the_same_page_again_is_none_and_the_state_goes_on():
    mirrors, again = Mirrors(), Mirrors()
    mirrors.is_copy(*page(WWW, BARE), has_canonical=False)
    assert not mirrors.is_copy(*page(WWW, BARE), has_canonical=False)
    again.restore(json.loads(json.dumps(mirrors.state())))
    assert again.is_copy(*page(BARE, BARE), has_canonical=False)

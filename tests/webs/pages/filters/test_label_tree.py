"""The labels of a web as a tree of check boxes, and the histogram of words beside it."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from apps.webs.pages.filters.label_tree import SHOWN, label_tree
from tests.people import site_of

LABELS = {
    "Science/Biology/Birds": 5,
    "Science/Biology/Plants": 7,
    "Science": 1,
    "Art_history": 9,
    "": 2,
}
BRANCHES = {"Science/": 12, "Science/Biology/": 11}


def tree(*chosen: str, labels=LABELS, branches=BRANCHES):
    return label_tree(chosen, {**labels, **branches})


def drawn(nodes) -> list[object]:
    """Words, with what is below in a list after them."""
    each = (
        [node.option.words, *([drawn(node.children)] if node.children else [])] for node in nodes
    )
    return [part for pair in each for part in pair]


def test_paths_are_drawn_as_a_tree_the_most_frequent_first():
    branches = tree()
    assert drawn(branches.nodes) == [
        "Science",
        ["Biology", ["Plants", "Birds"], "Science"],
        "Art history",
        "no label",
    ]
    assert [node.option.count for node in branches.nodes] == [12, 9, 2]
    assert (branches.labels, branches.nodes[0].labels) == (4, 3)
    assert not branches.nodes[0].is_open


def test_what_is_chosen_is_open_and_first_though_nothing_is_found_of_it():
    branches = tree("Science/Biology/Birds", "Tides/Neap")
    assert [node.option.words for node in branches.nodes[:2]] == ["Science", "Tides"]
    science, tides = branches.nodes[:2]
    assert science.is_open and science.children[0].is_open and not science.option.checked
    assert science.children[0].children[0].option.whole == "Science/Biology/Birds"
    assert tides.is_open and tides.children[0].option.count == 0


def test_a_chosen_branch_is_checked_and_stays_closed():
    (science, *_) = tree("Science/").nodes
    assert science.option.checked and not science.is_open


def test_a_long_list_ends_early_and_none_is_no_tree():
    branches = tree(labels={f"l{n}": 99 - n for n in range(30)}, branches={})
    assert (len(branches.nodes), len(branches.further), branches.labels) == (SHOWN, 30 - SHOWN, 30)
    assert tree(labels={}, branches={}) is None


@pytest.fixture
def school(make_web):
    return make_web(
        [
            ("http://s.test/owl", "Owl", f"<p>{'owl ' * 150}", ["Science/Birds"]),
            ("http://s.test/oak", "Oak", "<p>An oak", ["Science/Plants"]),
        ],
        "school",
    )


def look(owner, web, query: str = "") -> str:
    return site_of(owner).get(reverse("webs:web", args=[web.pk]) + query).content.decode()


def test_the_screen_has_the_branch_its_chip_and_its_pages(owner, school):
    page = look(owner, school, "?label=Science/")
    assert re.search(r'name="label" value="Science/" checked', page)
    assert "label: Science and all below" in page and "<b>2</b> of 2 pages" in page
    assert "2 labels" in page


def test_the_words_of_pages_are_a_histogram_with_the_range_in_use(owner, school):
    page = look(owner, school, "?words_from=100")
    assert "<b>1</b> of 2 pages" in page and "words ≥ 100" in page
    assert 'name="words_from" value="100"' in page
    for query, range in (
        ("words_from=100", "from 100"),
        ("words_to=2000", "to 2,000"),
        ("words_from=1&words_to=200", "1–200"),
        ("", ""),
    ):
        assert f"data-range-words>{range}</output>" in look(owner, school, f"?{query}")
    bars = re.findall(r"<rect[^>]*?( class=\"chosen\")?><title>(.*?)</title>", page)
    assert next(words for chosen, words in bars if chosen) == "100–199 words: 0 pages"
    assert (' class="chosen"', "200–499 words: 1 page") in bars
    assert ("", "50–99 words: 1 page") in bars and bars[-1][1].endswith("more: 0 pages")

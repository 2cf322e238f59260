"""A topic made of pages chosen in a recorded web."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from apps.topics.definition.from_pages import (
    LEAST,
    USES,
    PageSelection,
    covering_labels,
    definition_of,
    parts_of,
    uses_of,
)
from apps.topics.models import Topic
from apps.webs.pages.indexing import write_index
from apps.webs.pages.searching import PageIndex
from tests.made_web import MadeWeb
from tests.topic_fixtures import MADE
from tests.webs.pages.searches import page_search

OFTEN = st.integers(0, 5_000)


@given(pages=st.integers(LEAST, 5_000), seeds=st.none() | OFTEN, targets=st.none() | OFTEN)
def test_the_parts_always_add_up_and_none_is_empty(pages, seeds, targets) -> None:
    parts = parts_of(pages, seeds, targets)
    assert parts.seeds + parts.positives + parts.targets == pages
    assert min(parts.seeds, parts.positives - 1, parts.targets) >= 1, "two examples train"


def test_a_change_of_one_part_is_taken_from_the_examples() -> None:
    usual = parts_of(42)
    more = parts_of(42, seeds=usual.seeds + 5, targets=usual.targets)
    assert (more.targets, more.positives) == (usual.targets, usual.positives - 5)


@given(st.data())
def test_uses_by_hand_hold_and_the_rest_is_drawn(data) -> None:
    pages = data.draw(st.integers(LEAST, 60))
    of_page = st.tuples(st.integers(0, pages - 1), st.sampled_from(USES))
    by_hand = dict(data.draw(st.lists(of_page)))
    parts = parts_of(pages, data.draw(st.none() | OFTEN), data.draw(st.none() | OFTEN), by_hand)
    assert parts.seeds + parts.positives + parts.targets == pages
    fixed = Counter(by_hand.values())
    assert (parts.seeds, parts.positives, parts.targets) >= tuple(fixed[use] for use in USES)
    assert len([*parts.uses(fixed)]) == pages - len(by_hand)
    if pages - len(by_hand) >= LEAST:
        assert min(parts.seeds, parts.positives - 1, parts.targets) >= 1


def test_a_page_moved_by_hand_moves_no_other(choice) -> None:
    drawn = uses_of(choice)
    moved = next(number for number, use in drawn.items() if use == "example")
    parts = parts_of(30, choice.parts.seeds + 1, choice.parts.targets, {moved: "seed"})
    after = uses_of(replace(choice, parts=parts, by_hand={moved: "seed"}))
    assert {number for number in drawn if drawn[number] != after[number]} == {moved}
    assert after[moved] == "seed"


@pytest.fixture
def index(web):
    write_index(web)
    with PageIndex(web) as opened:
        yield opened


@pytest.fixture
def choice(web, index) -> PageSelection:
    pages = index.find(page_search(labels=("bread",)), slice(0, 30))
    urls = {page.number: page.url for page in pages}
    return PageSelection(web, urls, parts_of(30), 20417, "Rye", "bread")


def lists_of(choice: PageSelection, index: PageIndex) -> dict[str, list[str]]:
    return {name: text.split() for name, text in definition_of(choice, index).lists.items()}


def test_each_page_has_one_use_and_the_split_repeats_in_any_order(choice, index) -> None:
    lists = lists_of(choice, index)
    used = lists["seeds"] + lists["positives"] + lists["targets"]
    assert sorted(used) == sorted(choice.pages.values())
    shuffled = replace(choice, pages=dict(reversed(choice.pages.items())))
    assert {n: sorted(urls) for n, urls in lists_of(shuffled, index).items()} == {
        n: sorted(urls) for n, urls in lists.items()
    }
    assert uses_of(replace(choice, random_seed=1)) != uses_of(choice)
    assert sorted(uses_of(replace(choice, random_seed=1)).values()) == sorted(
        uses_of(choice).values()
    )


def test_negatives_come_from_all_over_the_web_and_never_bear_the_label(choice, index) -> None:
    lists = lists_of(choice, index)
    made = MadeWeb(MADE.count, len(MADE.hosts))
    assert len(lists["negatives"]) == 2 * len(lists["positives"])
    assert {made.labels(url) for url in lists["negatives"]} == {("stars",)}
    assert lists_of(replace(choice, with_negatives=False), index)["negatives"] == []
    unlabelled = lists_of(replace(choice, label=""), index)["negatives"]
    assert not {*unlabelled} & {*choice.pages.values()}


def test_negatives_are_drawn_evenly(choice, index) -> None:
    drawn = [
        url
        for seed in range(200)
        for url in lists_of(replace(choice, random_seed=seed), index)["negatives"]
    ]
    possible = {page.url for page in index.find(page_search(labels=("stars",)), slice(0, 9_999))}
    expected = len(drawn) / len(possible)
    assert {*drawn} == possible
    counts = [drawn.count(url) for url in possible]
    assert sum((n - expected) ** 2 / expected for n in counts) < 1.5 * len(possible)


def test_a_label_is_offered_when_four_fifths_have_it_the_narrowest_first() -> None:
    in_web = {"Science": 90, "Birds": 8}
    assert covering_labels(5, {"Science": 5, "Birds": 4}, in_web) == ["Birds", "Science"]
    assert covering_labels(5, {"Science": 5, "Birds": 3}, in_web) == ["Science"]
    assert covering_labels(4, {"Science": 1, "Birds": 1}, in_web) == []


def test_labels_of_some_pages_are_counted(index) -> None:
    pages = index.pages([*range(25), 10**6])
    assert index.addresses([*range(25), 10**6]) == {page.number: page.url for page in pages}
    labels = Counter(label for page in pages for label in page.labels)
    assert len(labels) > 1 and index.labels_of(range(25)) == labels


def test_the_topic_states_how_it_was_drawn_and_keeps_its_seed(owner, web, choice, index) -> None:
    client = Client()
    client.force_login(owner)
    definition = definition_of(choice, index)
    assert definition.description == (
        "30 pages of made, split by the random seed 20417: 6 seeds, 15 positive examples,"
        " 9 targets. 30 negatives drawn from the"
        f" {sum(1 for u in MADE.urls() if MADE.labels(u) == ('stars',)):,} others without the"
        " label."
    )
    client.post(
        reverse("topic:new"),
        {
            "name": "Rye",
            "web": web.pk,
            "web_label": "bread",
            "negatives_per_positive": 2,
            "random_seed": definition.random_seed,
            **definition.lists,
        },
    )
    topic = Topic.objects.get()
    assert (topic.random_seed, topic.web_label) == (20417, "bread")
    assert topic.targets.count() == 9
    client.post(
        reverse("topic:edit", args=[topic.pk]),
        {"name": "Rye", "web": web.pk, "negatives_per_positive": 2, **definition.lists},
    )
    topic.refresh_from_db()
    assert topic.random_seed == 20417


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("Bread", "No page of made has the label Bread. Did you mean bread?"),
        ("zzz", "No page of made has the label zzz."),
    ],
)
def test_a_misspelt_label_is_refused_with_the_nearest_one(owner, web, label, message) -> None:
    client = Client()
    client.force_login(owner)
    typed = {"name": "Rye", "negatives_per_positive": 2, "web_label": label}
    page = client.post(reverse("topic:new"), {**typed, "web": web.pk}).content.decode()
    assert message in page and not Topic.objects.exists()
    client.post(reverse("topic:new"), typed)
    assert Topic.objects.get().web_label == label, "what is crawled on the live Web has no labels"

"""Pages of a web chosen, split and handed to the form of a topic."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.urls import reverse

from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from tests.people import site_of

ROWS = [
    (f"http://a.test/{n}", f"Page {n}", f"word{n} about sea", ["Coast"] if n < 20 else ["Land"])
    for n in range(60)
]


@pytest.fixture
def coast(make_web):
    return make_web(ROWS, "coast")


def bar(owner, web, pages, search: str = "", **data: str) -> str:
    address = reverse("webs:selection", args=[web.pk]) + search
    sent = {"pages": ",".join(map(str, pages)), **data}
    return site_of(owner).post(address, sent).content.decode()


def value(page: str, name: str) -> str:
    """What a field of the page is filled with."""
    field = re.search(rf'<(textarea|input)[^>]*name="{name}"[^>]*>([^<]*)', page)
    assert field is not None, name
    typed = re.search(r'value="([^"]*)"', field.group())
    return html.unescape(
        typed.group(1) if field.group(1) == "input" and typed else field.group(2)
    ).strip()


def parts(page: str) -> tuple[int, int, int]:
    examples = re.search(r"<output>(\d+)", page)
    assert examples is not None
    return int(value(page, "seeds")), int(examples.group(1)), int(value(page, "targets"))


def test_the_bar_splits_the_pages_and_each_has_one_use(owner, coast) -> None:
    page = bar(owner, coast, range(20))
    assert parts(page) == (4, 10, 6)
    uses = json.loads(html.unescape(re.search(r'data-uses="([^"]*)"', page).group(1)))
    assert sorted(map(int, uses)) == list(range(20))
    assert sorted(uses.values()) == ["example"] * 10 + ["seed"] * 4 + ["target"] * 6
    assert "20 negatives drawn evenly from the 40 pages" in " ".join(page.split())


def test_a_changed_part_is_taken_from_the_examples(owner, coast) -> None:
    assert parts(bar(owner, coast, range(20), seeds="9", targets="6")) == (9, 5, 6)
    assert parts(bar(owner, coast, range(20), seeds="99", targets="99")) == (17, 2, 1)


def test_the_same_seed_gives_the_same_split_and_another_one_another(owner, coast) -> None:
    def uses(seed: str) -> str:
        page = bar(owner, coast, range(20), random_seed=seed)
        return re.search(r'data-uses="([^"]*)"', page).group(1)

    assert uses("7") == uses("7") != uses("8")


def test_a_true_label_is_offered_where_four_fifths_have_it(owner, coast) -> None:
    assert "<option>Coast</option>" in bar(owner, coast, range(4, 24))
    assert "<option selected>Coast" in bar(owner, coast, range(20), true_label="Coast")
    assert "No label covers four fifths" in bar(owner, coast, range(10, 30))
    none = bar(owner, coast, range(20), true_label="", name="Sea")
    assert '<option value="" selected>' in none and value(none, "name") == "Sea"
    assert "Brids" not in bar(owner, coast, range(20), true_label="Brids")


@pytest.mark.parametrize(
    ("search", "name", "label"),
    [
        ("?q=about+sea", "about sea", ""),
        ("?q=about+sea&label=Coast", "Coast", "Coast"),
        ("?label=Land", "Land", ""),
        ("?label=Coast&label=Land", "", ""),
    ],
)
def test_the_name_is_what_was_looked_for_and_only_a_label_chosen_is_the_true_label(
    owner, coast, search, name, label
) -> None:
    page = bar(owner, coast, range(4), search)
    assert value(page, "name") == name
    assert ("<option selected>Coast" in page) == (label == "Coast")
    address = reverse("webs:topic", args=[coast.pk]) + search
    form = site_of(owner).post(address, {"pages": "0,1,2,3"}).content.decode()
    assert (value(form, "name"), value(form, "web_label")) == (name, label)


def test_too_few_pages_state_how_many_are_missing(owner, coast) -> None:
    few = bar(owner, coast, [1, 2, 3])
    assert "Select 1 more page<" in few
    assert "A topic needs at least 4 pages: one seed, two examples and one target." in few
    assert parts(bar(owner, coast, [1, 2, 3, 4])) == (1, 2, 1), "two examples train a classifier"
    site = site_of(owner)
    address = reverse("webs:topic", args=[coast.pk])
    page = site.post(address, {"pages": "1,2,3"}, follow=True).content.decode()
    assert "A topic needs at least 4 pages" in page and "select at least 4 pages" in page


def test_a_label_becomes_a_topic_in_three_clicks(owner, coast) -> None:
    site = site_of(owner)
    labels = site.get(reverse("webs:labels", args=[coast.pk])).content.decode()
    first = html.unescape(re.search(r'href="([^"]*\?label=Coast)"', labels).group(1))
    content = site.get(first).content.decode()
    second = html.unescape(re.search(r'href="([^"]*)" data-all-topic', content).group(1))
    form = site.get(second).content.decode()
    assert not Topic.objects.exists(), "nothing is stored before Save"
    lists = {name: value(form, name) for name in ("seeds", "positives", "negatives", "targets")}
    third = re.search(r'<form method="post" action="([^"]*)"[^>]*class="topic-form', form).group(1)
    typed = {
        "name": value(form, "name"),
        "web": coast.pk,
        "web_label": "Coast",
        "negatives_per_positive": "2",
        "random_seed": value(form, "random_seed"),
    }
    site.post(third, {**typed, **lists})
    topic = Topic.objects.get()
    assert (topic.name, topic.web, topic.web_label) == ("Coast", coast, "Coast")
    assert (topic.seeds.count(), topic.targets.count()) == (4, 6)
    assert topic.examples.filter(relevant=True).count() == 10
    assert topic.examples.filter(relevant=False).count() == 20
    assert str(topic.random_seed) == value(form, "random_seed")


def test_the_form_is_filled_as_the_bar_says(owner, coast) -> None:
    chosen = {
        "random_seed": "7",
        "seeds": "2",
        "targets": "5",
        "name": "Sea",
        "true_label": "",
        "negatives_asked": "yes",
    }
    uses = json.loads(
        html.unescape(
            re.search(r'data-uses="([^"]*)"', bar(owner, coast, range(20), **chosen)).group(1)
        )
    )
    address = reverse("webs:topic", args=[coast.pk])
    sent = {**chosen, "page": list(range(20))}
    form = site_of(owner).post(address, sent).content.decode()
    of_use = {"seed": "seeds", "example": "positives", "target": "targets"}
    for use, name in of_use.items():
        expected = {f"http://a.test/{n}" for n, each in uses.items() if each == use}
        assert {*value(form, name).split()} == expected
    assert value(form, "name") == "Sea" and value(form, "negatives") == ""
    assert "split by the random seed 7" in value(form, "description")


def test_all_that_a_search_finds_can_be_chosen(owner, coast) -> None:
    address = reverse("webs:numbers", args=[coast.pk])
    assert site_of(owner).get(f"{address}?label=Coast").json()["numbers"] == list(range(20))
    assert "6 pages selected" in bar(owner, coast, [0, 1, 2, 3, 4, 999, 7])


def test_pages_can_be_chosen_by_the_topics_that_name_them(owner, coast) -> None:
    lists = {"seeds": "http://a.test/3", "targets": "http://a.test/41"}
    topic = create_topic(owner, Definition(name="Tides", web_id=coast.pk, lists=lists)).topic
    address = reverse("webs:numbers", args=[coast.pk])
    assert site_of(owner).get(f"{address}?topic={topic.pk}").json()["numbers"] == [3, 41]
    unnamed = site_of(owner).get(f"{address}?topic=0").json()["numbers"]
    assert unnamed == [n for n in range(60) if n not in (3, 41)]


def test_a_use_chosen_by_hand_is_in_the_bar_and_in_the_form(owner, coast) -> None:
    chosen = {
        "random_seed": "7",
        "by_hand": "3:target,4:seed,999:seed,5:hat",
        "seeds": "4",
        "targets": "6",
        "name": "Sea",
        "true_label": "",
        "negatives_asked": "yes",
    }
    page = bar(owner, coast, range(20), **chosen)
    uses = json.loads(html.unescape(re.search(r'data-uses="([^"]*)"', page).group(1)))
    assert (uses["3"], uses["4"]) == ("target", "seed") and parts(page) == (4, 10, 6)
    assert "2 split by hand" in page
    sent = {**chosen, "page": list(range(20))}
    form = site_of(owner).post(reverse("webs:topic", args=[coast.pk]), sent).content.decode()
    assert "http://a.test/3" in value(form, "targets").split()
    assert "http://a.test/4" in value(form, "seeds").split()
    assert "the random seed 7 and 2 of them by hand" in value(form, "description")


def test_a_split_by_hand_that_leaves_a_use_too_few_pages_is_refused_in_words(owner, coast) -> None:
    by_hand = ",".join(f"{number}:seed" for number in range(2))
    page = bar(owner, coast, range(4), by_hand=by_hand)
    assert "Too few pages are left as targets." in page and "disabled>Make a topic" in page
    address = reverse("webs:topic", args=[coast.pk])
    sent = {"pages": "0,1,2,3", "by_hand": by_hand}
    followed = site_of(owner).post(address, sent, follow=True).content.decode()
    assert "Too few pages are left as targets." in followed

"""The list of experiments: rows, filters, live updates, and who sees what."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share
from apps.experiments.models import Experiment
from tests.experiment_rows import end, finish, made_experiment
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
LIST = reverse("experiments:list")
ROWS = reverse("experiments:rows")


@pytest.fixture
def owner(data_dir):
    return person("ada")


@pytest.fixture
def site(owner) -> Client:
    return site_of(owner)


@pytest.fixture
def three(owner) -> list[Experiment]:
    """A running one, a finished one and a draft on another web."""
    return [
        made_experiment(owner, name="Night"),
        finish(made_experiment(owner, name="Day")),
        made_experiment(owner, name="Plan", web="marsh", state="draft"),
    ]


def listed(site: Client, query: str = "") -> str:
    answer = site.get(LIST + query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def names(text: str) -> list[str]:
    return [name for name in ("Night", "Day", "Plan") if f"data-open>{name}</a>" in text]


def test_a_row_has_state_size_and_what_is_compared(site, three):
    end(three[0].cells.first())
    text = listed(site)
    assert "3 experiments" in text and "1 running, 1 draft" in text
    assert "“flying” is not a state of this list" in listed(site, "?state=flying")
    assert "2 × 3" in text and "of 6" in text and "target recall at 50 pages" in text
    assert "6 of 6 cells in" in text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?state=active", ["Night"]),
        ("?state=ended", ["Day"]),
        ("?state=draft", ["Plan"]),
        ("?q=plan", ["Plan"]),
        ("?q=MARSH", ["Plan"]),
        ("?q=nothing", []),
        ("?web=x", ["Night", "Day", "Plan"]),
        ("?state=odd&order=odd", ["Night", "Day", "Plan"]),
    ],
)
def test_filters_are_in_the_address(site, three, query, expected):
    assert names(listed(site, query)) == expected


def test_filters_that_leave_nothing_are_named(site, three):
    assert "No experiment has “zzz” and state ended." in listed(site, "?q=zzz&state=ended")


def test_they_are_ordered(site, three):
    text = listed(site, "?order=name")
    assert text.index(">Day</a>") < text.index(">Night</a>") < text.index(">Plan</a>")
    text = listed(site, "?order=oldest")
    assert text.index(">Night</a>") < text.index(">Day</a>")


def test_without_any_it_advises_how_to_begin(site):
    text = listed(site)
    assert "No experiment yet" in text and reverse("new_experiment:form") in text


def rows(site: Client, **asked: Any) -> dict[str, Any]:
    answer = site.get(ROWS, asked)
    assert answer.status_code == 200
    return answer.json()


def test_only_rows_that_differ_are_sent_as_they_are_drawn_at_load(site, owner, three):
    drawn = site.get(LIST).context["rows"]
    shown = ",".join(f"{row.id}:{row.stamp}" for row in drawn)
    newest = max(one.pk for one in three)
    assert rows(site, shown=shown, newest=newest)["rows"] == {}
    end(three[0].cells.first())
    three[1].delete()
    made_experiment(owner, name="New")
    now = rows(site, shown=shown, newest=newest)
    assert list(now["rows"]) == [str(three[0].pk)] and now["new"] == 1
    assert now["gone"] == [int(drawn[1].id)]
    assert unescape(now["rows"][str(three[0].pk)]["html"]).strip() in listed(site)


@pytest.mark.parametrize(
    "asked", [{}, {"newest": "x"}, {"newest": 1, "shown": "a:b"}, {"newest": 1, "shown": "7"}]
)
def test_a_page_that_cannot_be(site, asked):
    assert site.get(ROWS, asked).status_code == 400


def test_others_see_what_is_shared_with_them(three):
    eve = person("eve")
    assert "No experiment yet" in listed(site_of(eve))
    share(three[1], "eve")
    text = listed(site_of(eve))
    assert names(text) == ["Day"] and "of ada" in text

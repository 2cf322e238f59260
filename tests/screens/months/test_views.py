"""Months of a watch: one press begins them, and the policies stand beside each other."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from apps.jobs import queue
from apps.months.models import MonthRun
from apps.months.policies import POLICIES
from apps.months.schema import MonthDesign
from apps.months.services import begin_months
from tests.months.made_months import GOOD, ended_months
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
LIST = reverse("months:list")
SENT = {
    "pages": "80",
    "hosts": "2",
    "new": "1.5",
    "days": "3",
    "requests": "20",
    "seeds": "7, 11",
    "policies": ["uniform", "full recrawl"],
}


@pytest.fixture
def owner() -> User:
    return person("owner")


@pytest.fixture
def site(owner: User) -> Client:
    return site_of(owner)


def read(site: Client, address: str) -> str:
    return re.sub(r"\s+", " ", unescape(site.get(address).content.decode()))


def test_the_form_begins_what_is_chosen_once(site: Client) -> None:
    answers = [site.post(LIST, SENT) for _ in range(2)]
    run = MonthRun.objects.get()
    assert {answer.headers["Location"] for answer in answers} == {f"{LIST}{run.pk}/"}
    design = MonthDesign.read(run.design)
    assert (design.pages, design.new, design.seeds) == (80, 1.5, (7, 11))
    assert design.policies == ("uniform", "full recrawl") and run.is_waiting


def test_the_small_month_is_filled_in_and_the_full_one_is_a_press_away(site: Client) -> None:
    small = site.get(LIST).context["form"]
    full = site.get(LIST, {"size": "full"}).context["form"]
    assert (small["pages"].value(), small["days"].value()) == (300, 10)
    assert (full["pages"].value(), full["days"].value()) == (1_200, 30)
    assert small["policies"].value() == tuple(POLICIES) and small["seeds"].value() == "7"
    assert 'href="?size=full"' in read(site, LIST)


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("pages", "12", "Give a whole number from 40 to 5,000."),
        ("days", "many", "Give a whole number from 3 to 90."),
        ("new", "0", "Give a number from 0.5 to 50."),
        ("hosts", "9", "Give at most 8: a host for 10 pages."),
        ("seeds", "7, seven", "Give one to 5 different whole numbers from 0 to 1,000,000."),
        ("seeds", "7 7", "Name each only once."),
        ("policies", [], "Give at least one of adaptive,"),
        ("policies", ["hourly"], "Give at least one of adaptive,"),
    ],
)
def test_nonsense_is_refused_at_its_field(
    site: Client, field: str, typed: object, words: str
) -> None:
    answer = site.post(LIST, {**SENT, field: typed})
    assert answer.status_code == 422 and not MonthRun.objects.exists()
    assert answer.context["form"].errors[field][0].startswith(words)
    assert words in unescape(answer.content.decode())


def test_a_run_shows_how_far_it_is_and_then_its_table(site: Client, owner: User) -> None:
    run, _ = begin_months(owner, MonthDesign(seeds=(5,), policies=("adaptive", "uniform")))
    at = reverse("months:month", args=[run.pk])
    assert "0 of 2 months ended · A worker begins it soon" in read(site, at)
    queue.claim_here(run, visits=0)
    assert "adaptive, seed 5: the web is crawled once" in read(site, at)
    queue.heartbeat(run, visits=4, results={"5": {"adaptive": GOOD.model_dump()}})
    answer = site.get(reverse("months:pieces", args=[run.pk])).json()
    assert not answer["ended"] and answer["pieces"].keys() == {"state", "results"}
    assert "1 of 2 months ended · uniform, seed 5: day 4 of 10" in answer["pieces"]["state"]["html"]
    assert "adaptive</td>" in answer["pieces"]["results"]["html"]
    text = read(site, at)
    assert "data-pieces=" in text and 'id="figures"' not in text
    queue.finish(run, results={"5": dict.fromkeys(("adaptive", "uniform"), GOOD.model_dump())})
    assert site.get(reverse("months:pieces", args=[run.pk])).json()["ended"]
    text = read(site, at)
    assert "data-pieces=" not in text and 'id="figures"' in text
    assert "adaptive: seen within a day 99 %" in text.replace("\u202f", " ")


def test_the_table_has_a_row_for_each_policy(site: Client, owner: User) -> None:
    run = ended_months(owner, seeds=(5, 9))
    text = read(site, reverse("months:month", args=[run.pk]))
    rows = re.findall(r'<td class="name">([\w ]+)</td>', text)
    assert rows[:5] == list(POLICIES) and len(rows) == 5 + 10
    assert "400 of 400" in text and "Seed by seed" in text
    assert "manage.py watching --seed 9 --hosts 4 --pages 100" in text


def test_a_run_that_failed_gives_the_reason_and_is_tried_again(site: Client, owner: User) -> None:
    run, _ = begin_months(owner, MonthDesign())
    queue.claim_here(run)
    queue.fail(run, "uniform: the month ended with 1.")
    text = read(site, reverse("months:month", args=[run.pk]))
    assert "uniform: the month ended with 1." in text and "Try again" in text
    site.post(reverse("months:again", args=[run.pk]))
    run.refresh_from_db()
    assert run.is_waiting


def test_runs_are_listed_and_deleted(site: Client, owner: User) -> None:
    run = ended_months(owner)
    at = reverse("months:delete", args=[run.pk])
    assert "100 pages, 10 days</a>" in read(site, LIST)
    assert "The results of 5 months are deleted" in read(site, at)
    assert site.post(at).headers["Location"] == LIST
    assert not MonthRun.objects.exists()


def test_the_run_of_another_person_is_not_found(owner: User) -> None:
    run, other = ended_months(owner), site_of(person("ben"))
    for name in ("month", "pieces", "delete"):
        assert other.get(reverse(f"months:{name}", args=[run.pk])).status_code == 404
    assert other.post(reverse("months:again", args=[run.pk])).status_code == 404
    assert "None yet" in read(other, LIST)

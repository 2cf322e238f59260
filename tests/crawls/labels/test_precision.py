"""What is claimed of the pages that look relevant, by answers to questions drawn at random."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.crawls.labels.precision import (
    ASKED,
    FURTHER,
    Precision,
    measuring_pages,
    precision,
    spread_questions,
)
from apps.crawls.models import Crawl, Label
from apps.engine.codes import State
from apps.engine.evaluation.stratified_share import Stretch
from apps.engine.evaluation.wilson import wilson_interval
from tests.crawl_rows import grow, made_crawl, made_topic

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def crawl(django_user_model) -> Crawl:
    """A finished crawl of 60 pages, the even ones of which look relevant."""
    topic = made_topic(django_user_model.objects.create_user("ada"))
    crawl = grow(made_crawl(topic), 60, harvest_rate=0.5)
    crawl.pages_fetched.update(relevant=False, seed=False)
    even = [seq for seq in range(1, 61) if seq % 2 == 0]
    crawl.pages_fetched.filter(seq__in=even).update(relevant=True)
    crawl.metrics = {"harvest_rate": 0.5}
    crawl.state = State.FINISHED
    crawl.save()
    return crawl


def answer(
    crawl: Crawl, seq: int, relevant: bool, kind: Label.Purpose = Label.Purpose.MEASURING
) -> None:
    Label.objects.create(crawl=crawl, seq=seq, relevant=relevant, kind=kind)


def test_wilsons_interval_has_the_known_values() -> None:
    assert wilson_interval(0, 0) is None
    low, high = wilson_interval(8, 10) or (0, 0)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert (wilson_interval(0, 5) or (1, 1))[0] == 0


def test_nothing_is_claimed_before_five_answers() -> None:
    words = Precision(312, 0, 0).words()
    assert words == (
        "312 pages look relevant. How many are cannot be told yet: answer 5 drawn at random."
    )
    assert "answer 1 drawn" in Precision(312, 4, 4).words() and "%" not in words
    assert Precision(312, 4, 5).words().endswith("Of 5 drawn at random 4 are: 80 % (38–96).")
    assert Precision(1, 0, 0).words().startswith("1 page looks relevant.")


def test_only_answers_to_random_questions_measure(crawl: Crawl) -> None:
    for seq in range(1, 21):
        answer(crawl, seq, True, Label.Purpose.TEACHING if seq % 2 else Label.Purpose.PICKED)
    assert precision(crawl) == Precision(30, 0, 0)
    for seq in range(22, 32, 2):
        answer(crawl, seq, seq > 22)
    along = (Stretch(25, 5, 4), Stretch(5))
    assert precision(crawl) == Precision(30, 4, 5, stretches=along)
    Label.objects.filter(seq=22).delete()
    assert precision(crawl) == Precision(30, 4, 4)


def test_without_a_judge_pages_look_relevant_by_their_topicality(crawl: Crawl) -> None:
    crawl.pages_fetched.update(relevant=None, topicality=0.2)
    crawl.pages_fetched.filter(seq__in=[1, 2, 3, 40, 52, 53, 54]).update(topicality=0.5)
    crawl.judged_by, crawl.metrics = "none", {}
    assert precision(crawl) == Precision(7, 0, 0)
    drawn = measuring_pages(crawl, [], [])
    assert len(drawn) == ASKED and {page.topicality for page in drawn} == {0.5}
    for page in drawn:
        answer(crawl, page.seq, page.seq > 50)
    share = precision(crawl)
    assert share is not None and [each.pages for each in share.stretches] == [4, 3]
    crawl.pages_fetched.update(topicality=None)
    assert precision(crawl) is None


def test_by_a_guide_that_is_no_better_than_chance_no_page_looks_relevant(crawl: Crawl) -> None:
    crawl.pages_fetched.update(relevant=None, topicality=0.9)
    crawl.judged_by, crawl.metrics = "none", {}
    crawl.topic.quality = {"advice": ["at_chance"]}
    assert precision(crawl) is None and measuring_pages(crawl, [], []) == []


def test_an_answer_counts_for_the_pages_of_its_stretch() -> None:
    along = (Stretch(100, 4, 4), Stretch(300, 4, 0))
    assert (
        Precision(400, 4, 8, stretches=along)
        .words()
        .endswith("Of 8 drawn at random 4 are: 25 % (6–63).")
    )
    later = Precision(700, 4, 8, stretches=(*along, Stretch(300)))
    assert later.words().endswith(
        "4 are: 25 % (4–79). Of 300 in other parts of the crawl none was asked, which widens it."
    )


def test_questions_are_spread_over_the_crawl(crawl: Crawl) -> None:
    drawn = [2, 4, 60, 6, 52, 8, 10]
    along = (Stretch(25), Stretch(5))
    assert spread_questions(drawn, along, 5) == [2, 4, 6, 8, 60]
    assert spread_questions(drawn, (Stretch(25, 5), Stretch(5)), 2) == [60, 2]
    assert spread_questions([60], along, 5) == [60]
    for seq in range(2, 12, 2):
        answer(crawl, seq, True)
    further = measuring_pages(crawl, set(range(2, 12, 2)), set())
    assert [page.seq > 50 for page in further] == [True, False]


def test_pages_that_nobody_judges_do_not_look_relevant(crawl: Crawl) -> None:
    crawl.metrics = {"harvest_rate": 0.5, "needs_javascript": 40}
    assert precision(crawl) == Precision(10, 0, 0)
    for metrics in ({}, {"harvest_rate": None}, {"harvest_rate": 0.0}):
        crawl.metrics = metrics
        assert precision(crawl) is None


def test_five_pages_that_look_relevant_are_drawn_and_stay(crawl: Crawl) -> None:
    first = measuring_pages(crawl, set(), set())
    assert len(first) == ASKED and all(page.relevant and not page.seed for page in first)
    assert measuring_pages(crawl, set(), set()) == first
    assert first[0] not in measuring_pages(crawl, {first[0].seq}, set())
    assert first[1] not in measuring_pages(crawl, set(), {first[1].url})
    answer(crawl, first[0].seq, False)
    assert measuring_pages(crawl, {first[0].seq}, set()) == first[1:]
    for page in first[1:]:
        answer(crawl, page.seq, True)
    further = measuring_pages(crawl, {page.seq for page in first}, set())
    assert len(further) == FURTHER and not set(further) & set(first)


def test_questions_of_a_running_crawl_stay_until_it_has_twice_as_many_pages(crawl: Crawl) -> None:
    crawl.state = State.RUNNING
    first = measuring_pages(crawl, set(), set())
    assert all(page.seq <= 50 for page in first)
    crawl.pages = 99
    assert measuring_pages(crawl, set(), set()) == first
    crawl.pages = 49
    assert measuring_pages(crawl, set(), set()) == []


def test_the_collection_of_a_crawl_claims_the_same(client: Client, crawl: Crawl) -> None:
    client.force_login(crawl.owner)
    page = client.get(reverse("collection:crawl", args=[crawl.pk])).content.decode()
    assert "30 pages look relevant. How many are cannot be told yet" in page


def test_a_crawl_that_asks_nobody_claims_no_answers_to_come() -> None:
    assert Precision(10, 0, 0, is_asked=False).words() == (
        "10 pages look relevant. How many are was not measured."
    )

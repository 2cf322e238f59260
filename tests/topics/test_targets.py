"""Checking whether targets can be reached."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.engine.answers import Answer
from apps.topics.examples.fetching import fetch_all
from apps.topics.models import Target, Topic
from apps.topics.services import edit_topic
from apps.topics.targets import ask_for_check, check_targets, state_of
from tests.background import work_on
from tests.people import site_of
from tests.topic_fixtures import MADE, bread

pytestmark = pytest.mark.django_db
A, B = "http://a.test/", "http://b.test/"


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (Answer(A, A, status=200), ("reachable", "")),
        (Answer(A, B, status=200), ("moved", B)),
        (Answer(A, A, status=404, failure="http_404"), ("gone", "http_404")),
        (Answer(A, A, status=410, failure="http_410"), ("gone", "http_410")),
        (Answer(A, A, failure="dns"), ("gone", "dns")),
        (Answer(A, A, status=403, failure="http_403"), ("unclear", "http_403")),
        (Answer(A, A, failure="robots"), ("unclear", "robots")),
    ],
)
def test_an_answer_decides_the_state(answer: Answer, state: tuple[str, str]) -> None:
    assert state_of(answer) == state


def test_targets_are_asked_on_request_in_the_background(topic: Topic) -> None:
    for url in ("http://h0.test/old", "http://h0.test/none", "http://nowhere.test/"):
        Target.objects.create(topic=topic, url=url)
    ask_for_check(topic)
    assert topic.work == "checking" and set(topic.targets.values_list("state", flat=True)) == {
        "asked"
    }
    work_on(topic)
    states = {t.url: (t.state, t.detail) for t in topic.targets.all()}
    assert states == {
        MADE.url(80): ("reachable", ""),
        MADE.url(84): ("reachable", ""),
        "http://h0.test/old": ("moved", MADE.url(0)),
        "http://h0.test/none": ("gone", "http_404"),
        "http://nowhere.test/": ("gone", "dns"),
    }


def test_what_was_left_is_asked_by_the_next_work(topic: Topic) -> None:
    topic.targets.update(state="asked")
    check_targets(topic, fetch_all(topic.web), lambda: False)
    assert topic.targets.filter(state="asked").count() == 1


def test_targets_that_stay_keep_what_they_answered(topic: Topic) -> None:
    from apps.screens.topic.forms import TopicForm

    topic.targets.update(state="reachable")
    form = TopicForm.of(topic)
    typed = {name: form[name].value() for name in form.fields if form[name].value()}
    typed["targets"] = f"{MADE.url(88)}\n{bread(20)}"
    again = TopicForm(typed, owner=topic.owner)
    assert again.is_valid(), again.errors
    edit_topic(topic, again.definition)
    assert list(topic.targets.values_list("url", "state")) == [
        (MADE.url(88), ""),
        (MADE.url(80), "reachable"),
    ]


def test_the_page_shows_what_each_answered_and_gone_ones_are_removed_by_hand(topic: Topic) -> None:
    site: Client = site_of(topic.owner)
    action, page = (reverse(f"topic:{name}", args=[topic.pk]) for name in ("action", "detail"))
    assert "not checked" in site.get(page).content.decode()
    site.post(action, {"action": "check"})
    assert "2 being checked" in site.get(page).content.decode()
    topic.targets.filter(url=MADE.url(80)).update(state="gone", detail="http_404")
    topic.targets.filter(url=MADE.url(84)).update(state="moved", detail=B)
    message = site.get(page).content.decode()
    assert (
        "gone: 404 not found" in message
        and f"moved to {B}" in message
        and "1 moved · 1 gone" in message
    )
    site.post(action, {"action": "remove_gone"})
    assert list(topic.targets.values_list("url", flat=True)) == [MADE.url(84)]

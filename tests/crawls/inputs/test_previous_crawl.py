"""Crawls that learn from an earlier one: which may be chosen, what is read of them, the form."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.accounts.sharing import share_with_everybody
from apps.crawls import services
from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.commands.limits.budget import continue_with
from apps.crawls.errors import CrawlRefused
from apps.crawls.inputs.previous_crawl import EarlierPages, earlier_crawls
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.screens.new_crawl.form_summary import form_summary, initial_data
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.topics.models import Topic
from tests.crawl_rows import made_crawl, made_topic
from tests.crawls.run_here import bread, made_web, new_crawl, run

ENDED = {"state": State.FINISHED, "reason": "budget_reached", "pages": 5}


@pytest.fixture
def owner(db):
    return get_user_model().objects.create_user("ada")


@pytest.fixture
def topic(owner) -> Topic:
    return made_topic(owner)


def choosable(topic: Topic) -> list[int]:
    return list(earlier_crawls(topic.owner, topic).values_list("pk", flat=True))


def test_finished_and_paused_crawls_with_pages_may_be_chosen(topic: Topic) -> None:
    finished = made_crawl(topic, **ENDED)
    paused = made_crawl(topic, **{**ENDED, "state": State.PAUSED})
    made_crawl(topic, **{**ENDED, "state": State.RUNNING})
    made_crawl(topic, **{**ENDED, "pages": 0})
    assert choosable(topic) == [paused.pk, finished.pk]


def test_of_another_topic_only_on_the_same_recorded_web(topic: Topic, data_dir: Path) -> None:
    other, web = made_topic(topic.owner, "Other"), made_web(data_dir)
    live, recorded = made_crawl(other, **ENDED), made_crawl(other, web=web, **ENDED)
    assert choosable(topic) == []
    topic.web = web
    assert choosable(topic) == [recorded.pk]
    assert list(earlier_crawls(topic.owner, topic, live.web)) == [recorded]


def test_of_other_people_only_what_is_shared(topic: Topic, data_dir: Path) -> None:
    eve = get_user_model().objects.create_user("eve")
    topic.web = made_web(data_dir)
    theirs = made_crawl(made_topic(eve, "Theirs"), web=topic.web, **ENDED)
    assert choosable(topic) == []
    share_with_everybody(theirs)
    assert choosable(topic) == [theirs.pk]


def test_a_crawl_that_cannot_be_learnt_from_is_refused(topic: Topic) -> None:
    running = made_crawl(topic)
    with pytest.raises(CrawlRefused, match=f"Crawl {running.pk} cannot be learned from") as refused:
        services.create_crawl(
            topic.owner, topic, running.web, strategy="recall_crawler", budget=5, earlier=running
        )
    assert refused.value.field == "earlier"


# The form --------------------------------------------------------------------------------------


def filled(topic: Topic, **changes: object) -> NewCrawlForm:
    form = NewCrawlForm(topic)
    return form.sent_with({**initial_data(form), **changes})


def test_the_form_asks_for_the_crawl_where_one_is_needed(topic: Topic) -> None:
    earlier = made_crawl(topic, **ENDED)
    form = filled(topic, strategy="recall_crawler")
    assert "Choose the crawl" in form.errors["earlier"][0]
    form = filled(topic, strategy="recall_crawler", earlier=str(earlier.pk))
    assert form.is_valid(), form.errors
    assert form.create(topic.owner).earlier == earlier
    assert (
        "no such crawl"
        in filled(topic, strategy="recall_crawler", earlier="99").errors["earlier"][0]
    )


def test_wrong_parameters_of_a_guide_are_reported_at_their_field(topic: Topic) -> None:
    earlier = made_crawl(topic, **ENDED)
    name = "recall_crawler-guide_parameters"
    form = filled(topic, strategy="recall_crawler", earlier=str(earlier.pk), **{name: "speed=3"})
    assert form.is_valid(), form.errors
    with pytest.raises(CrawlRefused) as refused:
        form.create(topic.owner)
    form.refuse(refused.value)
    assert "has no parameter speed" in form.errors[name][0]
    reports = {"recall_crawler-guide": "full_page", name: "classifier=nb"}
    form = filled(topic, strategy="recall_crawler", earlier=str(earlier.pk), **reports)
    assert form.is_valid() and form.create(topic.owner).parameters == {
        "guide": "full_page",
        "guide_parameters": "classifier=nb",
    }


def test_learning_off_line_needs_it_too(topic: Topic) -> None:
    earlier = made_crawl(topic, **ENDED)
    off_line = {"strategy": "apprentice", "apprentice-mode": "offline"}
    assert "earlier" in filled(topic, **off_line).errors
    form = filled(topic, **off_line, earlier=str(earlier.pk))
    message = form_summary(form)
    assert f"--earlier {earlier.pk}" in message.command
    assert "learns from crawl" in " ".join(message.sentences)


def test_others_take_no_notice_of_it(topic: Topic) -> None:
    earlier = made_crawl(topic, **ENDED)
    form = filled(topic, strategy="full_page", earlier=str(earlier.pk))
    assert form.is_valid() and form.create(topic.owner).earlier is None
    assert "--earlier" not in form_summary(form).command
    assert filled(topic, strategy="full_page", earlier="nonsense").is_valid()


def test_without_any_the_strategy_is_not_offered(topic: Topic) -> None:
    (row,) = [c for c in NewCrawlForm(topic).choices() if c.id == "recall_crawler"]
    assert row.missing == ("an earlier crawl",) and not row.mend


# What is read ----------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_only_the_pages_there_were_at_the_start_are_read(data_dir: Path) -> None:
    owner = get_user_model().objects.create_user("ada")
    topic = bread(owner, made_web(data_dir))
    first = run(new_crawl(topic, "breadth_first", budget=30))
    second = new_crawl(topic, "recall_crawler", budget=40, earlier=first)
    start_here(second)
    continue_with(first, 50)
    Crawl.objects.filter(pk=first.pk).update(runner="")
    assert run(Crawl.objects.get(pk=first.pk)).pages == 50
    second.refresh_from_db()
    done = run(second)
    early = set(first.pages_fetched.filter(seq__lte=30).values_list("final_url", flat=True))
    assert done.earlier_pages == 30
    assert set(done.pages_fetched.values_list("final_url", flat=True)) <= early


@pytest.mark.django_db(transaction=True)
def test_pages_come_in_their_order(data_dir: Path) -> None:
    owner = get_user_model().objects.create_user("ada")
    topic = bread(owner, made_web(data_dir))
    crawl = run(new_crawl(topic, "breadth_first", budget=20))
    pages = EarlierPages(crawl, 15)
    rows = list(crawl.pages_fetched.filter(seq__lte=15).values_list("url", flat=True))
    assert [page.url for page in pages] == rows and len(pages) == 15
    assert all(page.document.words for page in pages)
    assert [page.url for page in pages[2:4]] == rows[2:4] and pages[0].url == rows[0]

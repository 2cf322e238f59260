"""What a crawl will cost, as the rail of the form says it."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.models import Crawl, Page
from apps.engine.codes import StopReason
from apps.screens.new_crawl.cost import CostLine, costs
from apps.screens.new_crawl.form_summary import form_summary, initial_data
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.crawl_rows import grow, made_crawl, made_topic

pytestmark = pytest.mark.alike


@pytest.fixture
def topic(db) -> Topic:
    return made_topic(get_user_model().objects.create_user("ada"))


@pytest.fixture
def web(db) -> Web:
    return Web.objects.create(
        name="coast", source=Web.Source.FOLDER, folder="webs/coast", hosts=4, served_port=8123
    )


def form_of(topic: Topic, **changes: object) -> NewCrawlForm:
    form = NewCrawlForm(topic, {**initial_data(NewCrawlForm(topic)), **changes})
    form.is_valid()
    return form


def cost(what: str, form: NewCrawlForm) -> CostLine:
    return next(cost for cost in costs(form) if cost.what == what)


def test_reading_from_disk_sends_no_requests(topic: Topic, web: Web) -> None:
    form = form_of(topic, web=str(web.pk))
    assert cost("Requests", form).amount == "none"
    assert "No requests are sent" in " ".join(form_summary(form).sentences)


def test_requests_are_bounded_until_a_crawl_there_has_been_measured(topic: Topic) -> None:
    assert cost("Requests", form_of(topic, budget="100")).amount == "100 to 500"
    crawl = grow(made_crawl(topic), 200)
    measured = cost("Requests", form_of(topic, budget="1000"))
    basis = f"by crawl #{crawl.pk} of this topic, of 200 pages"
    assert measured == CostLine("Requests", "1,100", basis)


def test_a_crawl_that_ended_of_itself_is_named_beside_a_larger_budget(topic: Topic) -> None:
    crawl = grow(made_crawl(topic), 200)
    Crawl.objects.filter(pk=crawl.pk).update(reason=StopReason.FRONTIER_EMPTY)
    ended = f"; crawl #{crawl.pk} ended at 200 pages: frontier empty"
    assert cost("Requests", form_of(topic, budget="1000")).basis.endswith(ended)
    assert "frontier empty" not in cost("Requests", form_of(topic, budget="200")).basis


def test_crawls_of_other_topics_count_only_where_the_topic_has_none(topic: Topic) -> None:
    other = grow(made_crawl(made_topic(topic.owner, "Elsewhere")), 200)
    basis = cost("Requests", form_of(topic)).basis
    assert basis.startswith("no long crawl of this topic there yet") and f"#{other.pk}" in basis
    crawl = grow(made_crawl(topic), 100)
    basis = f"by crawl #{crawl.pk} of this topic, of 100 pages"
    assert cost("Requests", form_of(topic)).basis == basis


def test_a_pace_bounds_the_time_from_below(topic: Topic, web: Web) -> None:
    form = form_of(topic, web=str(web.pk), budget="1200", pages_per_second="2")
    assert cost("Time", form) == CostLine("Time", "at least 10 min", "at 2 pages a second")
    assert "at most 2 pages a second" in " ".join(form_summary(form).sentences)
    assert form.is_valid() and form.create(topic.owner).politeness["pages_per_second"] == 2


def test_a_pause_bounds_the_time_by_the_hosts_that_are_asked(topic: Topic, web: Web) -> None:
    served = form_of(topic, web=str(web.pk), over="http", budget="1200", delay="1")
    assert cost("Time", served) == CostLine(
        "Time", "at least 5 min", "4 hosts, one request to each every 1 s"
    )
    seeds = form_of(topic, follow="seeds", budget="1200")
    assert cost("Time", seeds).basis == "3 hosts, one request to each every 2 s"


def test_only_crawls_at_the_same_pause_and_full_speed_count_for_time(topic: Topic) -> None:
    for politeness in ({"delay": 9.0}, {"pages_per_second": 1.0}):
        grow(made_crawl(topic, politeness=politeness), 200)
    assert cost("Time", form_of(topic)).amount == "not known yet"
    assert "of this topic, of 200 pages" in cost("Time", form_of(topic, delay="9")).basis


def test_another_persons_crawls_do_not_count(topic: Topic) -> None:
    other = made_topic(get_user_model().objects.create_user("eve"), "Elsewhere")
    grow(made_crawl(other), 200)
    assert cost("Time", form_of(topic)).amount == "not known yet"


def test_pages_that_the_web_has_already_take_little_disk(topic: Topic, web: Web) -> None:
    form = form_of(topic, web=str(web.pk))
    assert cost("Disk", form).amount == "not known yet"
    grow(made_crawl(topic, web=web, over=form.source.over), 200)
    Page.objects.update(length=0)
    assert cost("Disk", form).amount == "little"


def test_the_first_pages_show_how_large_pages_are(topic: Topic, monkeypatch) -> None:
    monkeypatch.setattr("apps.screens.new_crawl.cost.MEASURED", 50)
    crawl = grow(made_crawl(topic), 100)
    pages = Page.objects.filter(crawl=crawl)
    pages.update(length=2_048)
    pages.filter(seq__gt=50).update(length=9_000_000)
    assert cost("Disk", form_of(topic, budget="1024")).amount == "about 2.0\xa0MB"


def test_a_form_without_a_budget_costs_nothing_yet(topic: Topic) -> None:
    assert costs(form_of(topic, budget="")) == ()


def test_no_pause_is_reported_as_such(topic: Topic, web: Web) -> None:
    text = " ".join(form_summary(form_of(topic, web=str(web.pk), over="http", delay="0")).sentences)
    assert "Hosts are asked without a pause" in text and "once in" not in text


def test_every_choice_is_a_sentence_of_the_rail(topic: Topic, web: Web) -> None:
    form = form_of(
        topic,
        web=str(web.pk),
        over="http",
        concurrent="7",
        delay="0.5",
        random_seed="42",
        strategy="text_window_combo",
        parent_policy="mean",
        **{"text_window_combo-beta": "0.4", "text_window_combo-idf": "background"},
    )
    text = " ".join(form_summary(form).sentences)
    for words in (
        "β, weight of the page: 0.4",
        "examples and unlabelled pages",
        "once in 0.5 s",
        "at most 7 requests at once",
        "Random seed <b>42</b>",
        "coast</b> over HTTP",
        "Where several pages link to one",
    ):
        assert words in text, words
    assert Crawl.objects.count() == 0


def test_pages_that_nothing_can_judge_are_not_announced_as_judged(topic: Topic) -> None:
    text = " ".join(form_summary(form_of(topic)).sentences)
    assert "judged by the <b>same classifier" in text
    topic.quality = {"judged_by": "none"}
    text = " ".join(form_summary(form_of(topic)).sentences)
    assert "Pages are <b>not judged</b>" in text and "same classifier" not in text

"""Pages of crawls: an owner, a stranger and nobody in particular."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share_with_everybody
from apps.crawls.models import Change, Crawl, FrontierEntry
from apps.engine.codes import State, StopReason
from apps.screens.live.fragments import fragments
from apps.screens.live.live_state import read
from tests.crawl_rows import grow, made_crawl, made_event, made_topic

SCRIPT = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def owner(db):
    return get_user_model().objects.create_user("ada", first_name="Ada")


@pytest.fixture
def stranger(db):
    return get_user_model().objects.create_user("eve")


@pytest.fixture
def crawl(owner) -> Crawl:
    return made_crawl(made_topic(owner))


@pytest.fixture
def site(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def strange_site(stranger) -> Client:
    client = Client()
    client.force_login(stranger)
    return client


def act(site: Client, crawl: Crawl, action: str, **values):
    """The answer to a control of the live page."""
    address = reverse("live:action", args=[crawl.pk])
    return site.post(address, {"action": action, **values}, **SCRIPT)


def test_the_live_page_shows_state_figures_and_feed(site: Client, crawl: Crawl) -> None:
    grow(crawl, 240)
    made_event(crawl, 1, "delta", 100, value=0.7, before=0.8)
    page = site.get(reverse("live:crawl", args=[crawl.pk]))
    text = page.content.decode()
    assert page.status_code == 200
    for message in ("Running", "240", "Adaptive utility", "δ changed", "Page 240", "judged by"):
        assert message in text
    assert page.context["message"].seq == 24


def test_the_page_as_loaded_holds_the_data_of_its_curves(site: Client, crawl: Crawl) -> None:
    grow(crawl, 100)
    page = site.get(reverse("live:crawl", args=[crawl.pk]))
    (harvest, *_) = page.context["message_data"]["curves"]["harvest"]
    assert harvest["keep"] == 0 and harvest["x"] == list(range(10, 101, 10))
    assert page.context["message_data"]["fragments"] == {}


def test_other_peoples_crawls_are_not_found(strange_site: Client, crawl: Crawl) -> None:
    assert strange_site.get(reverse("live:crawl", args=[crawl.pk])).status_code == 404
    assert act(strange_site, crawl, "pause").status_code == 404
    assert strange_site.get(reverse("new_crawl:form", args=[crawl.topic_id])).status_code == 404
    assert f"#{crawl.pk}<" not in strange_site.get(reverse("crawls:list")).content.decode()


def test_a_shared_crawl_is_read_but_not_steered(strange_site: Client, crawl: Crawl) -> None:
    share_with_everybody(crawl)
    page = strange_site.get(reverse("live:crawl", args=[crawl.pk]))
    assert page.status_code == 200
    assert "form-pause" not in page.content.decode()
    assert act(strange_site, crawl, "pause").status_code == 404


@pytest.mark.parametrize("name", ["crawls:list", "live:crawl", "new_crawl:form"])
def test_nobody_in_particular_signs_in_first(client: Client, crawl: Crawl, name: str) -> None:
    arguments = {
        "crawls:list": [],
        "live:crawl": [crawl.pk],
        "new_crawl:form": [crawl.topic_id],
    }[name]
    answer = client.get(reverse(name, args=arguments))
    assert answer.status_code == 302 and answer.url.startswith("/sign-in/")


def test_the_list_shows_ones_own_crawls(site: Client, stranger, crawl: Crawl) -> None:
    grow(crawl, 100)
    made_crawl(made_topic(stranger, "Elsewhere"))
    text = site.get(reverse("crawls:list")).content.decode()
    assert "Sourdough" in text and "polyline" in text and "Elsewhere" not in text


def test_an_empty_list_advises_where_to_begin(site: Client) -> None:
    assert "No crawl yet" in site.get(reverse("crawls:list")).content.decode()


def test_pause_asks_the_runner(site: Client, crawl: Crawl) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(runner="somebody")
    assert act(site, crawl, "pause").json() == {"ok": True, "message": ""}
    crawl.refresh_from_db()
    assert crawl.desired == Crawl.Desired.PAUSE


def test_a_new_delta_and_a_new_budget_are_left_for_the_runner(site: Client, crawl: Crawl) -> None:
    assert act(site, crawl, "delta", value="0.55").json()["ok"]
    assert act(site, crawl, "budget", value="2000").json()["ok"]
    assert list(Change.objects.values_list("kind", flat=True)) == ["delta", "budget"]
    crawl.refresh_from_db()
    assert (crawl.parameters["delta"], crawl.budget) == (0.55, 2000)


@pytest.mark.parametrize(
    ("action", "value", "field"),
    [
        ("delta", "1.5", "delta"),
        ("delta", "nan", "delta"),
        ("delta", "", "delta"),
        ("budget", "many", "budget"),
        ("budget", "0", "budget"),
        ("fly", "", "action"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    site: Client, crawl: Crawl, action: str, value: str, field: str
) -> None:
    answer = act(site, crawl, action, value=value).json()
    assert (answer["ok"], answer["field"]) == (False, field)
    assert answer["message"].endswith(".")


def test_a_finished_crawl_goes_on_with_a_larger_budget(site: Client, crawl: Crawl) -> None:
    crawl.state, crawl.reason = State.FINISHED, StopReason.BUDGET_REACHED
    crawl.pages = 1000
    crawl.save()
    assert not act(site, crawl, "budget", value="1000").json()["ok"]
    assert act(site, crawl, "budget", value="1500").json()["ok"]
    crawl.refresh_from_db()
    assert (crawl.state, crawl.budget) == (State.QUEUED, 1500)


def test_without_a_script_a_refusal_stands_on_the_page(site: Client, crawl: Crawl) -> None:
    address = reverse("live:action", args=[crawl.pk])
    page = site.post(address, {"action": "budget", "value": "x"}, follow=True)
    assert "Give a whole number of pages." in page.content.decode()


def test_controls_take_nothing_but_a_post(site: Client, crawl: Crawl) -> None:
    assert site.get(reverse("live:action", args=[crawl.pk])).status_code == 405


def test_bad_lines_among_seeds_are_reported_and_the_others_taken(
    site: Client, crawl: Crawl
) -> None:
    message = act(site, crawl, "seeds", value="http://a.test/\nnonsense").json()
    assert (
        message["ok"] and "1 seed added." in message["message"] and "Line 2" in message["message"]
    )


def test_adding_seeds_to_an_empty_queue_lets_the_crawl_go_on(site: Client, crawl: Crawl) -> None:
    crawl.state, crawl.reason = State.FINISHED, StopReason.FRONTIER_EMPTY
    crawl.save()
    assert act(site, crawl, "seeds", value="http://a.test/").json()["ok"]
    crawl.refresh_from_db()
    assert crawl.state == State.QUEUED


def test_an_event_is_undone_from_the_page(site: Client, crawl: Crawl) -> None:
    made_event(crawl, 1, "delta", value=0.7, before=0.4)
    text = site.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert 'form="form-undo" name="value" value="1"' in text
    assert act(site, crawl, "undo", value="1").json()["ok"]
    crawl.refresh_from_db()
    assert crawl.parameters["delta"] == 0.4
    for stale in ("1", "9", "x"):
        assert not act(site, crawl, "undo", value=stale).json()["ok"]


def test_the_head_of_the_page_has_the_new_delta_name_and_tags(site: Client, crawl: Crawl) -> None:
    for action, value in (("delta", "0.31"), ("name", "<Baseline>"), ("tags", "night")):
        assert act(site, crawl, action, value=value).json()["ok"]
    reading = read(crawl.pk)
    assert reading is not None
    pieces = fragments(reading)
    assert "δ = 0.31" in pieces["parameters"]
    assert "&lt;Baseline&gt;" in pieces["annotations"] and "night" in pieces["annotations"]
    text = site.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert pieces["parameters"] in text and pieces["annotations"] in text


def test_a_crawl_is_deleted_after_a_list_of_what_goes(
    site: Client, strange_site: Client, crawl: Crawl
) -> None:
    grow(crawl, 30)
    address = reverse("live:delete", args=[crawl.pk])
    assert strange_site.get(address).status_code == 404
    assert "30 pages" in site.get(address).content.decode()
    refused = site.post(address, follow=True).content.decode()
    assert "Stop the crawl first." in refused and Crawl.objects.exists()
    Crawl.objects.filter(pk=crawl.pk).update(state=State.PAUSED)
    assert "is deleted" in site.post(address, follow=True).content.decode()
    assert not Crawl.objects.exists()


def test_many_rows_are_labelled_in_one_request(site: Client, crawl: Crawl) -> None:
    address = reverse("live:label-all", args=[crawl.pk])
    answer = site.post(address, {"value": "y 999"}).json()
    assert (answer["ok"], answer["message"]) == (False, "Page 999: The crawl has no page 999.")


def test_a_pattern_is_previewed_before_it_excludes(
    site: Client, strange_site: Client, crawl: Crawl
) -> None:
    FrontierEntry.objects.create(
        crawl=crawl, number=1, url="http://a.test/<b>/1", parent=-1, depth=0, priority=0, state="w"
    )
    address = reverse("live:preview", args=[crawl.pk])
    text = site.get(address, {"pattern": "*/<b>/*"}).content.decode()
    assert "<b>1</b> waiting link match" in text and "a.test/&lt;b&gt;/1" in text
    assert "Give a pattern" in site.get(address, {"pattern": "*"}).content.decode()
    assert strange_site.get(address, {"pattern": "*x*"}).status_code == 404
    assert act(site, crawl, "exclude_pattern", value="*/<b>/*").json()["ok"]
    crawl.refresh_from_db()
    assert crawl.scope["deny_patterns"] == ["*/<b>/*"]
    assert act(site, crawl, "include_pattern", value="*/<b>/*").json()["ok"]

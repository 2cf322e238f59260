"""What is done to several crawls at once: an owner, a stranger."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share, share_with_everybody
from apps.crawls.models import Crawl, Label
from apps.engine.codes import State, StopReason
from apps.screens.crawls.verbs import VERBS, verbs_for
from tests.crawl_rows import made_crawl

SCRIPT = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def site(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def paused(crawl: Crawl) -> Crawl:
    return made_crawl(crawl.topic, state=State.PAUSED, reason=StopReason.PAUSED_BY_USER, pages=40)


def do(site: Client, verb: str, *crawls: Crawl, **values: str) -> dict:
    """What a script is answered."""
    sent = {"do": verb, "crawl": [crawl.pk for crawl in crawls], **values}
    return site.post(reverse("crawls:act"), sent, **SCRIPT).json()


def back(site: Client, answer: dict) -> None:
    """Takes the steps back that an answer names."""
    for number, action, value in answer["undo"]:
        address = reverse("live:action", args=[number])
        site.post(address, {"action": action, "value": value}, **SCRIPT)


def test_a_verb_is_done_to_those_it_applies_to(site: Client, crawl: Crawl, paused: Crawl) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(runner="somebody")
    answer = do(site, "pause", crawl, paused)
    assert answer["message"] == "1 crawl paused." and answer["refused"] == []
    crawl.refresh_from_db()
    assert crawl.desired == Crawl.Desired.PAUSE
    back(site, answer)
    crawl.refresh_from_db()
    assert (crawl.state, crawl.desired) == (State.RUNNING, Crawl.Desired.RUN)


def test_continuing_is_undone_by_a_pause(site: Client, paused: Crawl) -> None:
    answer = do(site, "continue", paused)
    paused.refresh_from_db()
    assert paused.state == State.QUEUED
    back(site, answer)
    paused.refresh_from_db()
    assert paused.state == State.PAUSED


def test_tags_are_added_and_undo_brings_back_what_each_had(
    site: Client, crawl: Crawl, paused: Crawl
) -> None:
    Crawl.objects.filter(pk=paused.pk).update(tags=["class"])
    answer = do(site, "tag", crawl, paused, value="thesis, night")
    tags = dict(Crawl.objects.values_list("pk", "tags"))
    assert tags == {crawl.pk: ["night", "thesis"], paused.pk: ["class", "night", "thesis"]}
    back(site, answer)
    tags = dict(Crawl.objects.values_list("pk", "tags"))
    assert tags == {crawl.pk: [], paused.pk: ["class"]}


def test_a_note_that_is_too_long_is_refused_by_crawl(site: Client, crawl: Crawl) -> None:
    answer = do(site, "note", crawl, value="x" * 6_000)
    assert answer["message"] == "" and answer["undo"] == []
    assert answer["refused"] == [f"#{crawl.pk}: A note has at most 5,000 characters."]


@pytest.mark.parametrize("verb", ["stop", "delete"])
def test_stop_and_delete_ask_first_with_what_stays_and_what_goes(
    site: Client, crawl: Crawl, paused: Crawl, verb: str
) -> None:
    answer = do(site, verb, paused)
    assert "1 crawl" in answer["ask"] and "40 pages" in answer["ask"]
    paused.refresh_from_db()
    assert paused.state == State.PAUSED
    done = do(site, verb, paused, sure="yes")
    assert done["message"].startswith("1 crawl") and done["undo"] == []
    states = list(Crawl.objects.filter(pk=paused.pk).values_list("state", flat=True))
    assert states == ([State.FINISHED] if verb == "stop" else [])


def test_a_browser_without_scripts_is_asked_on_a_page(site: Client, paused: Crawl) -> None:
    address, sent = reverse("crawls:act"), {"do": "delete", "crawl": [paused.pk, "9" * 40]}
    assert "This cannot be undone." in site.post(address, sent).content.decode()
    text = site.post(address, {**sent, "sure": "yes"}, follow=True).content.decode()
    assert "1 crawl deleted." in text and not Crawl.objects.filter(pk=paused.pk).exists()


def test_what_a_verb_does_not_apply_to_is_reported(site: Client, crawl: Crawl) -> None:
    message = do(site, "delete", crawl, sure="yes")["message"]
    wanted = "Only your own crawls can be deleted, and a running one has to be stopped first."
    assert message == wanted
    assert Crawl.objects.filter(pk=crawl.pk).exists()
    assert site.post(reverse("crawls:act"), {"do": "fly"}).status_code == 400


def test_nobody_changes_another_persons_crawls(stranger, crawl: Crawl, paused: Crawl) -> None:
    share_with_everybody(crawl)
    share_with_everybody(paused)
    site = Client()
    site.force_login(stranger)
    for verb in VERBS:
        do(site, verb, crawl, paused, value="mine", sure="yes")
    kept = Crawl.objects.order_by("pk").values_list("state", "desired", "tags", "note")
    assert list(kept) == [(State.RUNNING, "run", [], ""), (State.PAUSED, "run", [], "")]
    assert verbs_for(crawl, mine=False, may_edit=False) == ()


def test_who_may_edit_a_crawl_uses_every_verb_on_it_but_delete(
    stranger, crawl: Crawl, paused: Crawl
) -> None:
    share(crawl.topic, stranger.username, may_edit=True)
    site = Client()
    site.force_login(stranger)
    page = site.get(reverse("crawls:list")).content.decode()
    assert "data-annotate" in page and "of ada" in page
    assert do(site, "tag", crawl, paused, value="ours")["message"] == "2 crawls tagged."
    assert do(site, "pause", crawl)["message"] == "1 crawl paused."
    crawl.refresh_from_db()
    assert (crawl.tags, crawl.desired) == (["ours"], "pause")
    assert "Only your own" in do(site, "delete", paused, sure="yes")["message"]
    assert Crawl.objects.filter(pk=paused.pk).exists()


def test_a_crawl_that_ended_by_its_budget_is_not_continued_as_it_is(crawl: Crawl) -> None:
    for reason, offered in ((StopReason.BUDGET_REACHED, False), (StopReason.STOPPED_BY_USER, True)):
        crawl.state, crawl.reason = State.FINISHED, reason
        assert ("continue" in verbs_for(crawl, mine=True, may_edit=True)) is offered


def test_labels_that_stay_are_counted_before_deleting(site: Client, paused: Crawl) -> None:
    Label.objects.create(crawl=paused, seq=1, relevant=True, by=paused.owner)
    assert "1 label kept as examples." in do(site, "delete", paused)["ask"]

"""Watches by the API: everything that the screen does, and who may."""

from __future__ import annotations

import pytest

from apps.accounts.sharing import share
from apps.engine.codes import State
from apps.watches.digests import begin_digests, compose
from apps.watches.models import Digest, Observation, Watch
from apps.watches.search_news import SearchMatches, write_search_news
from tests.crawl_rows import made_crawl, made_topic
from tests.people import Program, person
from tests.watch_fixtures import START, visits, watch  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def owner(db):
    return person("ada")


@pytest.fixture
def program(owner) -> Program:
    return Program(owner)


def test_a_watch_is_started_changed_paused_and_ended(owner, program: Program) -> None:
    topic = made_crawl(made_topic(owner), state=State.FINISHED, pages=3).topic
    at = f"topics/{topic.pk}/watch"
    assert program.get(at).status_code == 404
    made = program.send("put", at, {"rhythm": "hours", "hours": 6, "quiet_from": "07:00"})
    assert made.status_code == 201
    assert (made.json()["hours"], made.json()["quiet_from"]) == (6, "07:00")
    changed = program.send("put", at, {"requests": 50})
    assert (changed.status_code, changed.json()["hours"]) == (200, 6)
    wrong = program.send("put", at, {"cron": "every day", "rhythm": "cron"})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "cron")
    assert program.send("post", f"{at}/actions/pause").json()["is_paused"] is True
    assert program.send("post", f"{at}/actions/resume").json()["is_paused"] is False
    assert program.send("post", f"{at}/actions/visit").json()["visits"] == 1
    assert program.get(f"{at}/visits").json()["items"][0]["number"] == 1
    assert program.send("delete", at).status_code == 204
    assert not Watch.objects.exists()


@pytest.mark.parametrize("number", [0, 9, 2**40])
def test_a_version_that_is_not_there(watch, visits, program, number) -> None:
    page = f"topics/{watch.topic_id}/watch/pages/{watch.pages.earliest('pk').pk}"
    assert program.get(f"{page}/versions/{number}").status_code == 404
    assert program.get(f"{page}/difference", before=1, after=number).status_code == 404


def test_digests_and_carriers(watch, visits, program, settings) -> None:
    begin_digests(START)
    for digest in Digest.objects.all():
        compose(digest)
    at = f"topics/{watch.topic_id}/watch"
    (digest,) = program.get(f"{at}/digests").json()["items"]
    assert digest["title"] == "Heat pumps: 1 new, 1 changed, 1 gone"
    feed = program.get(f"{at}/subscriptions").json()[0]
    assert (feed["carrier"], feed["is_on"]) == ("feed", True)
    renewed = program.send("post", f"{at}/subscriptions/feed/secret").json()
    assert renewed["address"] != feed["address"]
    hook = f"{at}/subscriptions/webhook"
    sent = {"target": "http://hooks.test/a"}
    refused = program.send("put", hook, sent)
    assert refused.status_code == 422 and "CRAWLSITE_ADDRESS" in refused.json()["message"]
    settings.ADDRESS = "https://crawl.test"
    chosen = program.send("put", hook, sent).json()
    assert chosen["is_on"] and chosen["secret"].startswith("whsec_")
    (delivery,) = program.get(f"{at}/deliveries").json()
    assert (delivery["status"], delivery["digest"], delivery["log"]) == ("waiting", None, [])
    assert program.send("post", f"{hook}/test").status_code == 422  # one was sent just now
    assert program.send("put", hook, {"is_on": False}).json()["is_on"] is False
    assert program.send("put", f"{at}/subscriptions/pigeon", {}).status_code == 422
    assert program.send("post", f"{at}/subscriptions/mail/test").status_code == 404


def test_a_reader_reads_and_chooses_for_themselves(watch, visits) -> None:
    ben, eve = person("ben"), person("eve")
    share(watch.topic, "ben")
    reader, outsider, at = Program(ben), Program(eve), f"topics/{watch.topic_id}/watch"
    page = watch.pages.earliest("pk").pk
    reads = [
        at,
        *(f"{at}/{part}" for part in ("visits", "changes", "pages", "digests", "deliveries")),
        f"{at}/subscriptions",
        f"{at}/pages/{page}/versions",
    ]
    for address in reads:
        assert reader.get(address).status_code == 200, address
        assert outsider.get(address).status_code == 404, address
        assert Program(None).get(address).status_code == 401, address
    changes = [
        ("put", at, {"hours": 3}),
        ("post", f"{at}/actions/pause", None),
        ("delete", at, None),
        ("post", f"{at}/changes/1/deny", None),
    ]
    for method, address, body in changes:
        assert reader.send(method, address, body).status_code == 404, address
    assert reader.send("put", f"{at}/subscriptions/feed", {"is_on": False}).status_code == 200
    mine, theirs = Program(watch.owner), reader
    feeds = [each.get(f"{at}/subscriptions").json()[0] for each in (mine, theirs)]
    assert [feed["is_on"] for feed in feeds] == [True, False]
    assert feeds[0]["address"] != feeds[1]["address"]


def test_changes_and_digests_name_what_your_searches_match(watch, visits, program, owner) -> None:
    for digest in begun_digests():
        compose(digest)
    at = f"topics/{watch.topic_id}/watch"
    assert program.get(f"{at}/changes", all=True, search=7).json()["count"] == 0
    new = Observation.objects.get(state="new")
    digest = Digest.objects.get(visit=visits[1])
    write_search_news(digest, [SearchMatches(owner.pk, 7, "Grants", [new.pk])])
    (change,) = program.get(f"{at}/changes", all=True, search=7).json()["items"]
    assert change["id"] == new.pk
    (sent,) = program.get(f"{at}/digests").json()["items"]
    assert "In “Grants” (1)" in sent["text"] and "1 in “Grants”" in sent["title"]
    other = person("eve")
    share(watch.topic, "eve")
    assert program.get(f"{at}/visits").json()["items"][0]["thinned"] == 0
    assert Program(other).get(f"{at}/changes", all=True, search=7).json()["count"] == 0
    assert "Grants”" not in Program(other).get(f"{at}/digests").json()["items"][0]["text"]
    chosen = program.send("put", f"{at}/subscriptions/feed", {"searches_only": True})
    assert chosen.json()["searches_only"] is True


def begun_digests() -> list[Digest]:
    begin_digests(START)
    return list(Digest.objects.all())

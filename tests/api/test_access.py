"""Who may see and do what, by API, page, export and websocket: four people, one story each."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.crawls.models import Crawl, Web
from apps.crawls.sharing import share, unshare
from apps.topics import sharing as topic_sharing
from apps.topics.models import Topic
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def crawl() -> Crawl:
    return grow(made_crawl(made_topic(person("ada"))), 30)


def reads(crawl: Crawl) -> list[str]:
    """Every address of the API that reads something of the crawl."""
    one = f"crawls/{crawl.pk}"
    return [one, *(f"{one}/{what}" for what in (
        "pages", "pages/3", "hosts", "failures", "queue", "events", "samples", "exports/csv",
    ))]


def writes(crawl: Crawl) -> list[tuple[str, str, object]]:
    """Every address of the API that changes something of the crawl, with a body it takes."""
    one = f"crawls/{crawl.pk}"
    return [
        ("post", f"{one}/actions/pause", {}),
        ("post", f"{one}/actions/share", {}),
        ("post", f"{one}/actions/budget", {"value": 2000}),
        ("put", f"{one}/pages/1/label", {"relevant": True}),
        ("post", f"{one}/again", {"on": "same"}),
        ("delete", one, None),
    ]


def of_topic(topic: Topic) -> list[tuple[str, str, object]]:
    one = f"topics/{topic.pk}"
    example = topic.examples.first().pk
    return [
        ("put", one, {"name": "Mine now"}),
        ("post", f"{one}/share", {"shared": True}),
        ("post", f"{one}/work", {"work": "training"}),
        ("patch", f"{one}/examples/{example}", {"relevant": False}),
        ("delete", f"{one}/examples/{example}", None),
        ("delete", one, None),
    ]


def pages(crawl: Crawl) -> list[str]:
    return [
        reverse("crawls:live", args=[crawl.pk]),
        reverse("collection:crawl", args=[crawl.pk]),
        reverse("exports:download", args=[crawl.pk, "csv"]),
    ]


def test_the_owner_reads_and_steers(crawl: Crawl) -> None:
    program = Program(crawl.owner)
    for address in reads(crawl):
        assert program.get(address).status_code == 200, address
    answer = program.send("post", f"crawls/{crawl.pk}/actions/budget", {"value": 2000})
    assert answer.status_code == 200 and answer.json()["crawl"]["budget"] == 2000


def test_an_outsider_finds_nothing_of_it(crawl: Crawl) -> None:
    eve = person("eve")
    program, site = Program(eve), site_of(eve)
    for address in [*reads(crawl), f"crawls/{crawl.pk}/recipe", f"topics/{crawl.topic_id}",
                    f"topics/{crawl.topic_id}/pages", f"topics/{crawl.topic_id}/examples",
                    f"topics/{crawl.topic_id}/exports/jsonl"]:
        answer = program.get(address)
        assert answer.status_code == 404, address
        assert answer.json()["message"].startswith("There is no such thing")
    for method, address, body in [*writes(crawl), *of_topic(crawl.topic)]:
        assert program.send(method, address, body).status_code == 404, address
    for address in [*pages(crawl), reverse("crawls:recipe", args=[crawl.pk])]:
        assert site.get(address).status_code == 404, address
    assert program.get("crawls").json()["count"] == program.get("topics").json()["count"] == 0
    crawl.refresh_from_db()
    assert (crawl.budget, crawl.shared, crawl.topic.name) == (1000, False, "Sourdough")


def test_a_team_mate_reads_what_is_shared_and_changes_nothing(crawl: Crawl) -> None:
    mate = person("mate")
    program, site = Program(mate), site_of(mate)
    share(crawl)
    for address in reads(crawl):
        assert program.get(address).status_code == 200, address
    for address in pages(crawl):
        assert site.get(address).status_code == 200, address
    for method, address, body in writes(crawl):
        assert program.send(method, address, body).status_code == 404, address
    (row,) = program.get("crawls").json()["items"]
    assert (row["owner"], row["mine"], row["shared"]) == ("ada", False, True)
    listed = site.get(reverse("crawls:list")).content.decode()
    assert f"#{crawl.pk}<" in listed and "of ada" in listed
    text = site.get(pages(crawl)[0]).content.decode()
    assert "form-pause" not in text and "Share read-only" not in text
    assert reverse("topics:detail", args=[crawl.topic_id]) not in text
    crawl.refresh_from_db()
    assert crawl.budget == 1000


def test_a_shared_topic_is_read_but_not_changed(crawl: Crawl) -> None:
    mate = person("mate")
    program, site = Program(mate), site_of(mate)
    topic_sharing.share(crawl.topic)
    for address in (f"topics/{crawl.topic_id}", f"topics/{crawl.topic_id}/examples"):
        assert program.get(address).status_code == 200
    for method, address, body in of_topic(crawl.topic):
        assert program.send(method, address, body).status_code == 404, address
    page = site.get(reverse("topics:detail", args=[crawl.topic_id])).content.decode()
    assert "Stop sharing" not in page and f"#{crawl.pk}<" not in page
    assert "of ada" in site.get("/topics/").content.decode()
    answer = program.send(
        "post", "crawls", {"topic": crawl.topic_id, "strategy": "breadth_first", "budget": 5}
    )
    assert (answer.status_code, answer.json()["field"]) == (422, "topic")


def test_a_recipe_tells_the_topic_too_so_both_must_be_shared(crawl: Crawl) -> None:
    mate = Program(person("mate"))
    share(crawl)
    assert mate.get(f"crawls/{crawl.pk}/recipe").status_code == 404
    topic_sharing.share(crawl.topic)
    assert mate.get(f"crawls/{crawl.pk}/recipe").status_code == 200


def test_what_is_no_longer_shared_is_gone_again(crawl: Crawl) -> None:
    mate = Program(person("mate"))
    share(crawl)
    assert mate.get(f"crawls/{crawl.pk}").status_code == 200
    unshare(crawl)
    assert mate.get(f"crawls/{crawl.pk}").status_code == 404


def test_nobody_in_particular_is_asked_for_a_token(crawl: Crawl) -> None:
    nobody = Program(None)
    for address in [*reads(crawl), "topics", "crawls", "strategies", "webs", "account"]:
        answer = nobody.get(address)
        assert answer.status_code == 401, address
        assert "Send a token" in answer.json()["message"]
    for method, address, body in [*writes(crawl), *of_topic(crawl.topic)]:
        assert nobody.send(method, address, body).status_code == 401, address


def test_a_page_shares_and_takes_back(crawl: Crawl) -> None:
    site = site_of(crawl.owner)
    for kind, found in (("crawls", crawl), ("topics", crawl.topic)):
        address = reverse(f"{kind}:action", args=[found.pk])
        site.post(address, {"action": "share"})
        found.refresh_from_db()
        assert found.shared
        site.post(address, {"action": "unshare"})
        found.refresh_from_db()
        assert not found.shared


def test_a_browsers_session_needs_the_csrf_token_to_change_anything(crawl: Crawl) -> None:
    site = Client(enforce_csrf_checks=True)
    site.force_login(crawl.owner)
    assert site.get(f"/api/v1/crawls/{crawl.pk}").status_code == 200
    address = f"/api/v1/crawls/{crawl.pk}/actions/share"
    answer = site.post(address, {}, content_type="application/json")
    assert answer.status_code == 403 and "CSRF" in answer.json()["message"]
    crawl.refresh_from_db()
    assert not crawl.shared
    site.get("/account/")
    token = site.cookies["csrftoken"].value
    answer = site.post(
        address, {}, content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert answer.status_code == 200


def test_a_wrong_token_is_not_saved_by_a_session(crawl: Crawl) -> None:
    site = site_of(crawl.owner)
    answer = site.get("/api/v1/account", headers={"Authorization": "Bearer cs_wrong"})
    assert answer.status_code == 401


def test_webs_made_of_anothers_crawl_are_not_offered(crawl: Crawl) -> None:
    folder = Web.Source.FOLDER
    Web.objects.create(name="private-web", source=folder, folder="p", owner=crawl.owner)
    Web.objects.create(name="everybodys", source=Web.Source.FOLDER, folder="everybodys")
    eve = person("eve")
    topic = made_topic(eve)
    names = {web["name"] for web in Program(eve).get("webs").json()}
    assert "private-web" not in names and "everybodys" in names
    assert "private-web" in {web["name"] for web in Program(crawl.owner).get("webs").json()}
    for address in (reverse("crawls:new", args=[topic.pk]), reverse("topics:new")):
        assert "private-web" not in site_of(eve).get(address).content.decode()
    body = {"topic": topic.pk, "strategy": "breadth_first", "budget": 5, "web": "private-web"}
    assert Program(eve).send("post", "crawls", body).json()["field"] == "web"

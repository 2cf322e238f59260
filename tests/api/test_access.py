"""Who may see and do what, by API and page, one story for each kind of person."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.groups import add_member, make_group
from apps.accounts.sharing import share, share_with_everybody, unshare
from apps.crawls.models import Crawl
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def crawl() -> Crawl:
    return grow(made_crawl(made_topic(person("ada"))), 30)


def reads(crawl: Crawl) -> list[str]:
    """Every address of the API that reads something of the crawl."""
    one = f"crawls/{crawl.pk}"
    return [
        one,
        *(
            f"{one}/{what}"
            for what in (
                "pages",
                "pages/3",
                "proposals",
                "hosts",
                "failures",
                "queue",
                "events",
                "samples",
                "exports/csv",
            )
        ),
    ]


def writes(crawl: Crawl) -> list[tuple[str, str, object]]:
    """Every address of the API that changes something of the crawl, with a body it takes."""
    one = f"crawls/{crawl.pk}"
    return [
        ("post", f"{one}/actions/pause", {}),
        ("post", f"{one}/actions/budget", {"value": 2000}),
        ("put", f"{one}/pages/1/label", {"relevant": True}),
        ("post", f"{one}/again", {"on": "same"}),
    ]


def owners_alone(kind: str, pk: int) -> list[tuple[str, str, object]]:
    """What nobody but the owner may do, whatever is shared."""
    one = f"{kind}/{pk}"
    return [
        ("get", f"{one}/shares", None),
        ("post", f"{one}/shares", {"name": "eve"}),
        ("delete", f"{one}/shares/1", None),
        ("delete", one, None),
    ]


def of_topic(topic: Topic) -> list[tuple[str, str, object]]:
    one = f"topics/{topic.pk}"
    example = topic.examples.first().pk
    return [
        ("put", one, {"name": "Mine now"}),
        ("post", f"{one}/work", {"work": "training"}),
        ("patch", f"{one}/examples/{example}", {"relevant": False}),
        ("delete", f"{one}/examples/{example}", None),
    ]


def pages(crawl: Crawl) -> list[str]:
    return [
        reverse("live:crawl", args=[crawl.pk]),
        reverse("collection:crawl", args=[crawl.pk]),
        reverse("downloads:crawl_search", args=[crawl.pk]) + "?format=csv",
    ]


def test_the_owner_reads_and_steers(crawl: Crawl) -> None:
    program = Program(crawl.owner)
    for address in reads(crawl):
        assert program.get(address).status_code == 200, address
    answer = program.send("post", f"crawls/{crawl.pk}/actions/budget", {"value": 2000})
    assert answer.status_code == 200 and answer.json()["crawl"]["budget"] == 2000


def everything(crawl: Crawl) -> list[tuple[str, str, object]]:
    """Every operation on a crawl and its topic that needs a right to it."""
    topic = crawl.topic
    telemetry = [
        *reads(crawl),
        f"crawls/{crawl.pk}/recipe",
        *topic_reads(topic),
        f"topics/{topic.pk}/exports/jsonl",
    ]
    return [
        *(("get", address, None) for address in telemetry),
        *writes(crawl),
        *of_topic(topic),
        *owners_alone("crawls", crawl.pk),
        *owners_alone("topics", topic.pk),
    ]


def topic_reads(topic: Topic) -> list[str]:
    one = f"topics/{topic.pk}"
    return [
        one,
        *(
            f"{one}/{what}"
            for what in (
                "pages",
                "examples",
                "file",
                "targets",
                "inputs",
            )
        ),
    ]


def test_an_outsider_gets_the_same_answer_for_rows_of_others_and_missing_ones(
    crawl: Crawl,
) -> None:
    eve = person("eve")
    share(crawl.topic, person("mate").username, may_edit=True)
    program, site = Program(eve), site_of(eve)
    for method, address, body in everything(crawl):
        anothers = program.send(method, address, body)
        missing = program.send(method, re.sub(r"(?<=s/)[0-9]+", "999999", address), body)
        assert anothers.status_code == missing.status_code == 404, address
        assert anothers.content == missing.content, address
    for address in [
        *pages(crawl),
        reverse("recipes:recipe", args=[crawl.pk]),
        reverse("topic:detail", args=[crawl.topic_id]),
        reverse("sharing:shares", args=["topic", crawl.topic_id]),
        reverse("sharing:shares", args=["crawl", crawl.pk]),
    ]:
        assert site.get(address).status_code == 404, address
    assert program.get("crawls").json()["count"] == program.get("topics").json()["count"] == 0
    crawl.refresh_from_db()
    assert (crawl.budget, crawl.shared, crawl.topic.name) == (1000, False, "Sourdough")


def test_a_reader_sees_a_shared_crawl_and_changes_nothing(crawl: Crawl) -> None:
    mate = person("mate")
    program, site = Program(mate), site_of(mate)
    share(crawl, "mate")
    for address in reads(crawl):
        assert program.get(address).status_code == 200, address
    for address in pages(crawl):
        assert site.get(address).status_code == 200, address
    for method, address, body in [*writes(crawl), *owners_alone("crawls", crawl.pk)]:
        assert program.send(method, address, body).status_code == 404, address
    (row,) = program.get("crawls").json()["items"]
    assert (row["owner"], row["mine"], row["shared"]) == ("ada", False, True)
    listed = site.get(reverse("crawls:list")).content.decode()
    assert f"#{crawl.pk}<" in listed and "of ada" in listed
    text = site.get(pages(crawl)[0]).content.decode()
    assert "form-pause" not in text and 'id="sharing"' not in text
    # Links of empty charts are hidden from readers by the style sheet.
    shown = re.sub(r'<a class="for-topic-editor".*?</a>', "", text)
    assert reverse("topic:detail", args=[crawl.topic_id]) not in shown
    crawl.refresh_from_db()
    assert crawl.budget == 1000


def test_a_shared_topic_brings_its_web_and_its_crawls(crawl: Crawl) -> None:
    web = Web.objects.create(name="coast", source=Web.Source.FOLDER, folder="c", owner=crawl.owner)
    Topic.objects.filter(pk=crawl.topic_id).update(web=web)
    mate = person("mate")
    program, site = Program(mate), site_of(mate)
    assert "coast" not in {each["name"] for each in program.get("webs").json()["items"]}
    share(crawl.topic, "mate")
    for address in [*reads(crawl), f"crawls/{crawl.pk}/recipe", *topic_reads(crawl.topic)]:
        assert program.get(address).status_code == 200, address
    assert "coast" in {each["name"] for each in program.get("webs").json()["items"]}
    for method, address, body in [
        *writes(crawl),
        *of_topic(crawl.topic),
        *owners_alone("topics", crawl.topic_id),
        *owners_alone("webs", web.pk),
    ]:
        assert program.send(method, address, body).status_code == 404, address
    page = site.get(reverse("topic:detail", args=[crawl.topic_id])).content.decode()
    assert f"#{crawl.pk}<" in page and 'id="sharing"' not in page and ">Edit<" not in page
    assert "of ada" in site.get("/topics/").content.decode()
    answer = program.send(
        "post", "crawls", {"topic": crawl.topic_id, "strategy": "breadth_first", "budget": 5}
    )
    assert (answer.status_code, answer.json()["field"]) == (422, "topic")


def test_an_editor_changes_the_topic_and_steers_its_crawls_but_neither_deletes_nor_shares_on(
    crawl: Crawl,
) -> None:
    mate = person("mate")
    program, site, topic = Program(mate), site_of(mate), crawl.topic
    share(topic, "mate", may_edit=True)
    answer = program.send("post", f"crawls/{crawl.pk}/actions/budget", {"value": 2000})
    assert answer.status_code == 200 and answer.json()["crawl"]["budget"] == 2000
    assert program.send("put", f"topics/{topic.pk}", {"name": "Rye"}).json()["name"] == "Rye"
    sent = {"topic": topic.pk, "strategy": "breadth_first", "budget": 5}
    made = program.send("post", "crawls", sent)
    assert (made.status_code, made.json()["owner"], made.json()["mine"]) == (201, "ada", False)
    for address in (
        reverse("topic:edit", args=[topic.pk]),
        reverse("new_crawl:form", args=[topic.pk]),
    ):
        assert site.get(address).status_code == 200, address
    assert "form-pause" in site.get(pages(crawl)[0]).content.decode()
    for kind, pk in (("topics", topic.pk), ("crawls", crawl.pk)):
        for method, address, body in owners_alone(kind, pk):
            assert program.send(method, address, body).status_code == 404, address
    for address in (
        reverse("topic:delete", args=[topic.pk]),
        reverse("live:delete", args=[crawl.pk]),
        reverse("sharing:shares", args=["crawl", crawl.pk]),
    ):
        assert site.post(address, {"name": "eve"}).status_code == 404, address
    assert Crawl.objects.filter(pk=crawl.pk).exists()


def test_a_member_of_a_group_sees_what_the_group_may_until_they_leave(crawl: Crawl) -> None:
    member = person("member")
    program, group = Program(member), make_group("bakers")
    share(crawl.topic, "bakers")
    assert program.get(f"crawls/{crawl.pk}").status_code == 404
    add_member(group, "member")
    for address in [*reads(crawl), *topic_reads(crawl.topic)]:
        assert program.get(address).status_code == 200, address
    assert program.get("topics").json()["count"] == 1
    group.user_set.remove(member)
    assert program.get(f"crawls/{crawl.pk}").status_code == 404


def test_what_is_shared_with_everybody_is_there_for_everybody_who_signs_in(crawl: Crawl) -> None:
    share_with_everybody(crawl)
    assert Program(person("eve")).get(f"crawls/{crawl.pk}").status_code == 200
    assert Program(None).get(f"crawls/{crawl.pk}").status_code == 401


def test_a_recipe_contains_the_topic_so_both_must_be_shared(crawl: Crawl) -> None:
    mate = Program(person("mate"))
    share(crawl, "mate")
    assert mate.get(f"crawls/{crawl.pk}/recipe").status_code == 404
    share(crawl.topic, "mate")
    assert mate.get(f"crawls/{crawl.pk}/recipe").status_code == 200


def test_what_is_no_longer_shared_is_gone_again(crawl: Crawl) -> None:
    mate = Program(person("mate"))
    made = share(crawl, "mate")
    assert mate.get(f"crawls/{crawl.pk}").status_code == 200
    unshare(crawl, made.pk)
    assert mate.get(f"crawls/{crawl.pk}").status_code == 404


def test_a_program_shares_and_takes_back(crawl: Crawl) -> None:
    person("mate")
    program, one = Program(crawl.owner), f"crawls/{crawl.pk}/shares"
    made = program.send("post", one, {"name": "mate", "may_edit": True}).json()
    assert (made["person"], made["group"], made["everybody"], made["may_edit"]) == (
        "mate",
        None,
        False,
        True,
    )
    assert program.send("post", one, {"name": None}).json()["everybody"]
    assert len(program.get(one).json()) == 2
    assert program.send("delete", f"{one}/{made['id']}").status_code == 204
    assert len(program.get(one).json()) == 1
    refused = program.send("post", one, {"name": "nobody"})
    assert (refused.status_code, refused.json()["field"]) == (422, "name")
    assert refused.json()["message"] == "There is no person and no group named nobody."
    assert program.send("post", one, {"name": None, "may_edit": True}).status_code == 422


def test_nobody_in_particular_is_asked_for_a_token(crawl: Crawl) -> None:
    nobody = Program(None)
    for address in [*reads(crawl), "topics", "crawls", "strategies", "webs", "account"]:
        answer = nobody.get(address)
        assert answer.status_code == 401, address
        assert "Send a token" in answer.json()["message"]
    for method, address, body in everything(crawl):
        assert nobody.send(method, address, body).status_code == 401, address


@pytest.mark.parametrize("kind", ["crawl", "topic"])
def test_a_page_shares_and_takes_back(crawl: Crawl, kind: str) -> None:
    thing = crawl if kind == "crawl" else crawl.topic
    site, address = site_of(crawl.owner), reverse("sharing:shares", args=[kind, thing.pk])
    person("mate")
    page = site.post(address, {"name": "mate", "may": "edit"}, follow=True)
    assert page.redirect_chain[-1][0].endswith("#sharing")
    assert "Shared with mate." in page.content.decode()
    made = thing.shares.get()
    assert (made.person.username, made.may_edit) == ("mate", True)
    site.post(address, {"name": "mate", "may": "read"})
    assert not thing.shares.get().may_edit
    site.post(address, {"remove": made.pk})
    assert not thing.shares.exists()
    site.post(address, {"everybody": "yes"})
    assert thing.shares.get().everybody


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "There is no person and no group named nobody."),
        ("", "Give the name of a person or of a group."),
        ("ada", "This is the owner"),
    ],
)
def test_a_refused_name_stays_at_its_field_with_what_is_wrong(
    crawl: Crawl, name: str, message: str
) -> None:
    address = reverse("sharing:shares", args=["topic", crawl.topic_id])
    page = site_of(crawl.owner).post(address, {"name": name}).content.decode()
    assert message in page and f'value="{name}" aria-invalid="true"' in page
    assert not crawl.topic.shares.exists()


def test_a_browsers_session_needs_the_csrf_token_to_change_anything(crawl: Crawl) -> None:
    site = Client(enforce_csrf_checks=True)
    site.force_login(crawl.owner)
    assert site.get(f"/api/v1/crawls/{crawl.pk}").status_code == 200
    address, sent = f"/api/v1/crawls/{crawl.pk}/shares", {"name": None}
    answer = site.post(address, sent, content_type="application/json")
    assert answer.status_code == 403 and "CSRF" in answer.json()["message"]
    assert not crawl.shares.exists()
    site.get("/account/")
    token = site.cookies["csrftoken"].value
    answer = site.post(
        address, sent, content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert answer.status_code == 201


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
    names = {web["name"] for web in Program(eve).get("webs").json()["items"]}
    assert "private-web" not in names and "everybodys" in names
    assert "private-web" in {
        web["name"] for web in Program(crawl.owner).get("webs").json()["items"]
    }
    for address in (reverse("new_crawl:form", args=[topic.pk]), reverse("topic:new")):
        assert "private-web" not in site_of(eve).get(address).content.decode()
    body = {"topic": topic.pk, "strategy": "breadth_first", "budget": 5, "web": "private-web"}
    assert Program(eve).send("post", "crawls", body).json()["field"] == "web"

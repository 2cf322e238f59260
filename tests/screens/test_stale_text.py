"""Name, note and tags of a crawl and the note of a web are not replaced unseen."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from apps.engine.codes import State
from apps.webs.models import Web
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def owner() -> User:
    return person("ada")


@pytest.fixture
def ada(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.mark.parametrize(("action", "first", "second"), [("note", "A", "B"), ("tags", "x", "y")])
def test_a_text_that_was_changed_elsewhere_is_shown_and_then_replaced(
    ada: Client, owner: User, action: str, first: str, second: str
) -> None:
    crawl = made_crawl(made_topic(owner), state=State.FINISHED, reason="")
    address = reverse("live:action", args=[crawl.pk])
    sent = {"action": action, "was": ""}
    assert ada.post(address, sent | {"value": first}, **JSON).json()["ok"]
    refused = ada.post(address, sent | {"value": second}, **JSON).json()
    assert not refused["ok"] and refused["present"] == first
    assert f"changed elsewhere meanwhile: now it is “{first}”" in refused["message"]
    again = {"action": action, "was": refused["present"], "value": second}
    assert ada.post(address, again, **JSON).json()["ok"]


def test_without_what_was_shown_a_text_is_replaced(ada: Client, owner: User) -> None:
    crawl = made_crawl(made_topic(owner), state=State.FINISHED, reason="")
    address = reverse("live:action", args=[crawl.pk])
    for value in ("A", "B"):
        assert ada.post(address, {"action": "note", "value": value}, **JSON).json()["ok"]


def test_the_note_of_a_web_is_not_replaced_unseen(ada: Client, owner: User) -> None:
    web = Web.objects.create(name="reef", owner=owner, source=Web.Source.FOLDER, note="A")
    address = reverse("webs:note", args=[web.pk])
    refused = ada.post(address, {"note": "B", "was": ""}, **JSON)
    assert refused.status_code == 422 and refused.json()["present"] == "A"
    assert ada.post(address, {"note": "B", "was": "A"}, **JSON).json() == {"note": "B"}

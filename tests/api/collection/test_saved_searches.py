"""Saved searches for programs."""

from __future__ import annotations

import pytest

from apps.watches.models import Watch
from tests.collection_fixtures import crawl, owner, store, stranger, topic  # noqa: F401
from tests.people import Program
from tests.watch_fixtures import START

pytestmark = pytest.mark.django_db


def test_a_program_saves_lists_renames_and_removes_a_search(owner, crawl) -> None:
    store(crawl, {"text": "eelgrass meadow"}, {"text": "gravel"})
    program = Program(owner)
    sent = {"name": "Meadows", "crawl": crawl.pk, "query": "q=eelgrass"}
    saved = program.send("post", "saved-searches", sent)
    assert saved.status_code == 201 and saved.json()["pages"] == 1
    one = f"saved-searches/{saved.json()['id']}"
    assert program.send("patch", one, {"name": "Eelgrass"}).json()["name"] == "Eelgrass"
    assert [each["query"] for each in program.get("saved-searches").json()] == ["q=eelgrass"]
    assert program.send("delete", one).status_code == 204
    assert program.get("saved-searches").json() == []


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"query": "label=maybe"}, "label"),
        ({"query": ""}, "query"),
        ({"topic": 1}, "topic"),
        ({"crawl": None}, "topic"),
    ],
)
def test_what_is_wrong_is_reported_at_its_field(owner, crawl, change, field) -> None:
    store(crawl, {"text": "eelgrass meadow"})
    sent = {"name": "Meadows", "crawl": crawl.pk, "query": "q=eelgrass", **change}
    answer = Program(owner).send("post", "saved-searches", sent)
    assert answer.status_code == 422 and answer.json()["field"] == field


def test_a_stranger_neither_saves_in_a_collection_nor_changes_a_search(
    owner,
    stranger,
    crawl,
) -> None:
    store(crawl, {"text": "eelgrass meadow"})
    sent = {"name": "Meadows", "crawl": crawl.pk, "query": "q=eelgrass"}
    pk = Program(owner).send("post", "saved-searches", sent).json()["id"]
    program = Program(stranger)
    assert program.send("post", "saved-searches", sent).status_code == 404
    for method, body in (("patch", {"name": "Mine"}), ("delete", None)):
        assert program.send(method, f"saved-searches/{pk}", body).status_code == 404
    assert program.get("saved-searches").json() == []


def test_a_search_is_watched_by_its_owner_alone(owner, stranger, topic, crawl) -> None:
    store(crawl, {"text": "eelgrass meadow"})
    program = Program(owner)
    sent = {"name": "Meadows", "topic": topic.pk, "query": "q=eelgrass"}
    at = f"saved-searches/{program.send('post', 'saved-searches', sent).json()['id']}/watch"
    refused = program.send("put", at)
    assert refused.status_code == 422 and "start a watch" in refused.json()["message"]
    Watch.objects.create(topic=topic, owner=owner, pattern=crawl, created_at=START)
    assert Program(stranger).send("put", at).status_code == 404
    assert program.send("put", at).json()["is_watched"] is True
    assert Program(stranger).send("delete", at).status_code == 404
    assert program.send("delete", at).json()["is_watched"] is False

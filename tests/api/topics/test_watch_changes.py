"""The changes that a watch has seen, by the API: read, denied and affirmed."""

from __future__ import annotations

import pytest

from apps.watches.models import Watch, WatchVisit
from tests.people import Program, person
from tests.watch_fixtures import visits, watch  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def owner(db):
    return person("ada")


@pytest.fixture
def program(owner) -> Program:
    return Program(owner)


def test_changes_versions_and_differences_are_read(
    watch: Watch, visits: list[WatchVisit], program: Program
) -> None:
    at = f"topics/{watch.topic_id}/watch"
    counts = program.get(at).json()["counts"]
    assert counts == {"new": 1, "changed": 1, "gone": 1, "same": 1, "not_reached": 0}
    (changed,) = program.get(f"{at}/changes", state="changed").json()["items"]
    assert changed["line"] == "Closing date: 28 November 2026 → 16 January 2027"
    page = f"{at}/pages/{changed['page']}"
    assert [v["number"] for v in program.get(f"{page}/versions").json()] == [1, 2]
    assert "28 November" in program.get(f"{page}/versions/1").json()["text"]
    difference = program.get(f"{page}/difference", before=1, after=2).json()
    assert difference["is_change"] and difference["line"] == changed["line"]
    edits = [p["edit"] for p in difference["passages"]]
    assert edits == ["same", "changed"]
    assert program.get(f"{at}/pages", state="gone").json()["count"] == 1
    assert program.send("put", f"{at}/seen", {}).json()["counts"]["new"] == 0
    assert program.get(f"{at}/changes").json()["count"] == 0
    assert program.get(f"{at}/changes", all=True).json()["count"] == 3
    assert program.send("delete", f"{at}/seen").json()["counts"]["new"] == 1


def test_a_change_that_was_none_is_denied_and_affirmed(watch, visits, program: Program) -> None:
    at = f"topics/{watch.topic_id}/watch"
    (change,) = program.get(f"{at}/changes?state=changed").json()["items"]
    denied = program.send("post", f"{at}/changes/{change['id']}/deny").json()
    assert (denied["state"], denied["is_denied"]) == ("same", True)
    assert program.get(at).json()["counts"]["changed"] == 0
    assert program.send("post", f"{at}/changes/{change['id']}/deny").status_code == 422
    assert program.send("post", f"{at}/changes/{change['id']}/affirm").json()["line"]
    assert program.get(at).json()["counts"]["changed"] == 1
    assert program.send("post", f"{at}/changes/{2**70}/deny").status_code == 404

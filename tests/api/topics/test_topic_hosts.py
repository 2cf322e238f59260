"""The hosts of a topic by the API, and by the command."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests.crawl_fixtures import owner  # noqa: F401
from tests.crawl_rows import made_topic
from tests.host_rows import linked_crawl
from tests.people import Program, person

pytestmark = pytest.mark.alike


@pytest.fixture
def topic(owner):
    topic = made_topic(owner)
    linked_crawl(topic)
    return topic


def test_hosts_are_listed_decided_on_and_undone(topic) -> None:
    program, address = Program(topic.owner), f"topics/{topic.pk}/hosts"
    listed = program.get(address, order="linked", size=2).json()
    assert listed["count"] == 7 and not listed["counting"] and listed["counted_at"]
    assert [row["name"] for row in program.get(address, unit="domain", q="b.org").json()["items"]]
    sent = {"hosts": ["http://c.test/x", "*.b.org"], "state": "out"}
    act = program.send("post", address, sent).json()
    assert (act["hosts"], act["state"], act["waiting"]) == (["c.test", "*.b.org"], "out", 3)
    out = program.get(address, state="out").json()["items"]
    assert {row["name"] for row in out} == {"c.test", "b.org", "www.b.org"}
    undone = program.send("post", f"{address}/acts/{act['act']}/undo")
    assert undone.status_code == 200 and program.get(address, state="out").json()["count"] == 0
    links = program.get(f"{address}/links").json()
    assert {"source": "a.test", "target": "c.test", "links": 1} in links["items"]


def test_what_cannot_be_is_refused_and_others_may_not(topic) -> None:
    program, address = Program(topic.owner), f"topics/{topic.pk}/hosts"
    assert program.get(address, state="sideways").status_code == 422
    for sent in ({"hosts": ["no host"], "state": "in"}, {"hosts": ["a.test"], "state": "x"}):
        assert program.send("post", address, sent).status_code == 422
    outsider = Program(person("eve"))
    assert outsider.get(address).status_code == 404
    assert outsider.send("post", address, {"hosts": ["a.test"], "state": "in"}).status_code == 404


def test_the_command_decides_and_lists(topic) -> None:
    printed = io.StringIO()
    call_command("hosts", topic.pk, "--out", "c.test", "--in", "*.b.org", stdout=printed)
    rows = {row["name"]: row["decision"] for row in json.loads(printed.getvalue())}
    assert rows["c.test"] == "out" and rows["www.b.org"] == "in" and rows["a.test"] == "undecided"
    with pytest.raises(CommandError, match="not a host"):
        call_command("hosts", topic.pk, "--in", "two words")

"""Decisions on hosts, obeyed by crawls, shown in the list, taken back."""

from __future__ import annotations

import pytest

from apps.crawls.commands.scope.host_decisions import KIND, obeyed_decisions
from apps.engine.codes import State
from apps.hosts import services
from apps.hosts.models import HostSummary
from apps.hosts.tasks import count_here
from apps.schemas.refused import Refused
from apps.topics.definition.host_names import parse_name
from apps.topics.hosts import decisions_on
from apps.topics.models import Topic
from tests.crawl_fixtures import owner  # noqa: F401
from tests.crawl_rows import made_topic
from tests.host_rows import linked_crawl


@pytest.fixture
def topic(owner) -> Topic:
    topic = made_topic(owner)
    linked_crawl(topic)
    count_here(topic)
    return topic


def shown(topic: Topic, unit: str = "host") -> dict[str, str]:
    rows = HostSummary.objects.filter(topic=topic, unit=unit).exclude(decision="")
    return dict(rows.values_list("name", "decision"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" A.test ", "a.test"),
        ("http://a.test/x/y", "a.test"),
        ("a.test:8080", "a.test:8080"),
        ("*.a.test", "*.a.test"),
        ("u.test/~ann/", "u.test/~ann"),
        ("", None),
        ("two words", None),
        ("*.a.test/x", None),
    ],
)
def test_a_name_is_read_from_what_is_typed(text, name):
    assert parse_name(text) == name


def test_a_decision_on_a_domain_holds_for_its_hosts_but_one_on_a_host_before_it(topic):
    services.decide(topic, ["*.b.org"], "out", topic.owner)
    assert shown(topic) == {"b.org": "out", "www.b.org": "out"}
    assert shown(topic, "domain") == {"*.b.org": "out"}
    services.decide(topic, ["www.b.org"], "in", topic.owner)
    assert shown(topic) == {"b.org": "out", "www.b.org": "in"}
    count_here(topic)
    assert shown(topic) == {"b.org": "out", "www.b.org": "in"}


def test_out_counts_the_links_that_wait_and_undo_restores_who_and_when(topic):
    first = services.decide(topic, ["c.test"], "in", topic.owner)
    decided = services.decide(topic, ["c.test", "a.test"], "out", None)
    assert decided.act.waiting == 2
    services.undo(decided.act, topic.owner)
    row = topic.host_decisions.get()
    assert (row.name, row.state, row.by, row.at) == ("c.test", "in", topic.owner, first.act.at)
    assert shown(topic) == {"c.test": "in"}
    with pytest.raises(Refused, match="undone already"):
        services.undo(decided.act, topic.owner)


def test_undo_leaves_hosts_that_were_decided_on_since(topic):
    decided = services.decide(topic, ["a.test", "c.test"], "out", topic.owner)
    services.decide(topic, ["c.test"], "in", topic.owner)
    services.undo(decided.act, topic.owner)
    assert decisions_on(topic) == {"c.test": True}
    again = services.decide(topic, ["a.test"], "in", topic.owner)
    services.decide(topic, ["a.test"], "out", topic.owner)
    with pytest.raises(Refused, match="changed since"):
        services.undo(again.act, topic.owner)


def test_what_is_so_already_is_refused(topic):
    services.decide(topic, ["a.test"], "in", topic.owner)
    for state in ("in", "sideways"):
        with pytest.raises(Refused):
            services.decide(topic, ["a.test"], state, topic.owner)


def test_crawls_under_way_are_reported_once_and_others_are_not(topic):
    running = linked_crawl(topic, state=State.RUNNING)
    finished = topic.crawls.exclude(pk=running.pk).get()
    decided = services.decide(topic, ["a.test", "c.test"], "out", topic.owner)
    assert decided.crawls == 1
    change = running.changes.get(kind=KIND)
    assert (change.payload["out"], change.by) == (["a.test", "c.test"], topic.owner)
    services.undo(decided.act, topic.owner)
    assert running.changes.filter(kind=KIND).last().payload["undecided"] == ["a.test", "c.test"]
    assert obeyed_decisions(running) == {} and not finished.changes.exists()


def test_hundreds_of_domains_are_decided_at_once(topic: Topic) -> None:
    names = [f"*.h{n}.test" for n in range(300)]
    done = services.decide(topic, [*names, "*.test"], "out", topic.owner)
    assert len(done.act.names) == 301
    assert set(shown(topic).values()) == {"out"}

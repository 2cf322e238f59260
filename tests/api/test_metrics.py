"""`/metrics`: its format, its figures, who may read it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.tokens import make_token
from apps.api.metrics import agent_lines, lines
from apps.crawls.workload import Workload, workload
from apps.engine.agents.broker import AgentHeartbeat
from apps.engine.codes import State
from apps.jobs import queue
from apps.machines import registry
from apps.machines.registry import AgentRecord
from apps.topics.models import Topic
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
SAMPLE = re.compile(r'crawlsite_[a-z_]+(\{[a-z]+="(\\.|[^"\\\n])*"\})? -?[0-9.]+')


def ask(token: str | None = None, client=None):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return (client or site_of(None)).get("/metrics", headers=headers)


def test_administrators_read_it_with_a_token_or_in_the_browser() -> None:
    ada = person("ada", is_superuser=True)
    answer = ask(make_token(ada, "prometheus")[1])
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    assert ask(client=site_of(ada)).status_code == 200


def test_others_do_not_from_this_machine_neither() -> None:
    eve = person("eve")
    for answer in (ask(), ask("wrong"), ask(make_token(eve, "x")[1]), ask(client=site_of(eve))):
        assert answer.status_code == 401
        assert "crawlsite_pages" not in answer.content.decode()


def test_the_token_of_the_settings_is_enough(settings) -> None:
    settings.METRICS_TOKEN = "a long text"
    assert ask("a long text").status_code == 200
    assert ask("a long tex").status_code == 401
    settings.METRICS_TOKEN = ""
    assert ask("").status_code == 401


def test_it_counts_what_there_is() -> None:
    topic = made_topic(person("ada"))
    grow(made_crawl(topic, runner="x:1:2", load={"bottleneck": "robots", "coordinator": 0.3}), 100)
    grow(made_crawl(topic, state=State.FINISHED), 40)
    waiting = made_crawl(topic, state=State.QUEUED)
    waiting.enqueued_at = timezone.now() - timedelta(seconds=90)
    waiting.save()
    load = workload()
    assert (load.states["running"], load.states["queued"], load.states["draft"]) == (1, 1, 0)
    assert (load.pages, load.requests, load.errors) == (140, 154, {"http_404": 14})
    assert (load.workers_busy, load.workers) == (1, 2)
    assert 90 <= load.oldest_wait < 120
    assert (load.limits["robots"], load.limits["agents"]) == (1, 0)
    assert load.coordinators_busy == 0.3


def test_background_work_that_nobody_takes_is_seen(settings) -> None:
    topic = made_topic(person("ada"))
    queue.enqueue(topic)
    Topic.objects.update(job_asked_at=timezone.now() - timedelta(seconds=600))
    assert workload().oldest_wait >= 600
    assert queue.claim(Topic, topic.pk, 1) is not None
    assert workload().oldest_wait == 0


def test_every_line_is_of_the_format() -> None:
    text = "".join(
        lines(
            Workload(
                {"running": 1},
                5,
                6,
                {'a"b\\c\nd': 2},
                3,
                {"crawl": 0},
                2,
                1,
                0.5,
                {"agents": 1},
                0.3,
            )
        )
    )
    assert text.endswith("\n")
    for line in text.splitlines():
        assert line.startswith(("# HELP crawlsite_", "# TYPE crawlsite_")) or SAMPLE.fullmatch(line)
    assert text.count("# TYPE") == len(set(re.findall(r"# TYPE (\S+)", text)))
    assert 'crawlsite_failed_requests{kind="a\\"b\\\\c\\nd"} 2' in text


def test_the_agents_of_machines_are_counted_by_state(monkeypatch, settings) -> None:
    settings.REDIS_URL = ""
    assert "crawlsite_agents" not in "".join(agent_lines())
    settings.REDIS_URL = "redis://db.test"
    word = AgentHeartbeat(out=3, rate=1.5, busy=0.25)
    records = [
        AgentRecord("a", word, 0.1, "running"),
        AgentRecord("b", word, 0.1, "drained"),
        AgentRecord("c", word, 60.0, "silent"),
    ]
    monkeypatch.setattr(registry, "agents", lambda: records)
    monkeypatch.setattr(registry, "malformed_entries", lambda: {"agents": 2})
    text = "".join(agent_lines())
    for line in (
        'agents{state="running"} 1',
        'agents{state="silent"} 1',
        "agent_requests 6",
        "agent_pages_per_second 3.0",
        "agent_busy_cores 0.5",
        'malformed_redis_entries{among="agents"} 2',
    ):
        assert f"crawlsite_{line}\n" in text

"""The administrators' page of agents and workers."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
import redis
from django.test import Client
from django.utils import timezone

from apps.crawls import workload
from apps.crawls.models import Crawl
from apps.crawls.workload import Waiting
from apps.engine.agents.broker import AgentHeartbeat
from apps.jobs.process import this_process, this_system
from apps.machines import events, registry, workers
from apps.machines.models import MachineEvent, Workers
from apps.machines.registry import AgentRecord
from apps.screens.machines import pieces, views
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
PAGE = "/administration/machines/"
WORD = AgentHeartbeat(
    machine="mistral",
    number=4,
    cores=16,
    machine_memory=2**35,
    room=32,
    rate=82.0,
    busy=0.88,
    cpu_ms=2.1,
    out=31,
    rates=[41.0, 82.0],
    rates_by={"15.2": 60.5},
    memory=240 * 2**20,
    serves=["15.2", "11.1"],
)


@pytest.fixture
def ada():
    return person("ada", is_superuser=True, is_staff=True)


@pytest.fixture
def site(ada) -> Client:
    return site_of(ada)


@pytest.fixture
def asked(monkeypatch, settings) -> list[tuple[str, ...]]:
    """Three agents in Redis, and what is asked of them."""
    calls: list[tuple[str, ...]] = []
    agents = [
        AgentRecord("a", WORD, 0.3, "running"),
        AgentRecord("b", replace(WORD, number=5, out=6), 0.1, "draining"),
        AgentRecord("c", replace(WORD, number=7, machine="levante"), 72.0, "silent", 14, 2),
    ]
    settings.REDIS_URL = "redis://:s3cret@db.test:6379/0"
    settings.DATABASE_URL = "postgres://crawl:s3cret@db.test/crawl"
    monkeypatch.setattr(registry, "agents", lambda: agents)
    monkeypatch.setattr(registry, "redis_version", lambda: "Redis 7.2.4")
    monkeypatch.setattr(registry, "malformed_entries", lambda: {"agents": 1, "replies": 2})
    monkeypatch.setattr(pieces, "waiting", lambda: Waiting(0, 2, 8.0))
    for name, verb in views.VERBS.items():

        def note(*names: str, asked_for: str = name) -> None:
            calls.append((asked_for, *names))

        monkeypatch.setitem(views.VERBS, name, verb._replace(carry_out=note))
    return calls


def test_to_others_it_is_not_there(ada) -> None:
    eve = site_of(person("eve"))
    assert eve.get(PAGE).status_code == 404
    assert eve.get(PAGE + "live/").status_code == eve.get(PAGE + "events/").status_code == 404
    assert eve.post(PAGE + "act/", {"drain": "a"}).status_code == 404


def test_it_lists_agents_by_machine_with_what_may_be_asked_of_each(site, asked) -> None:
    text = site.get(PAGE).content.decode()
    for message in (
        "mistral",
        "levante",
        "agent-4",
        "88",
        "240",
        ">#15<",
        ">#11<",
        "6 requests left",
        "1 min 12 s",
        "1 agent silent",
        "3 malformed entries in Redis",
        "its 14 requests were given out again; nothing is lost",
        "<b>1 of 3</b> ready, 1 drains, 1 silent",
        "Redis 7.2.4",
        "2 machines",
        "3 agents",
        "2 other tasks wait, the longest 8 s",
        "no crawl runs",
    ):
        assert message in text, message
    # Two of sixty steps are known, and stand at the right end.
    assert text.count('points="92.4,11.0 94.0,3.0"') == 3
    assert text.count('name="drain"') == 1
    assert text.count('name="resume"') == text.count('name="forget"') == 1
    # The server's addresses, without a password, on screen or copied.
    assert "export DATABASE_URL=postgres://crawl:PASSWORD@db.test/crawl" in text
    assert "export REDIS_URL=redis://:PASSWORD@db.test:6379/0" in text
    assert "s3cret" not in text


def test_it_lists_them_by_the_crawls_that_they_serve(site, ada, asked) -> None:
    crawl = made_crawl(made_topic(ada), pk=15, runner=this_process(), agents=2)
    text = site.get(PAGE + "?by=crawl").content.decode()
    assert "2 agents of its own beside it" in text and text.count(">60.5<") == 2
    assert f"#{crawl.pk} Sourdough" in text
    assert text.count("agent-4</td>") == 1 and "No crawl" in text  # the silent one serves none


def test_what_all_crawls_fetch_and_what_limits_them(site, ada, settings) -> None:
    settings.REDIS_URL = ""
    now = time.time()
    load = {
        "at": now,
        "bottleneck": "politeness",
        "resting": 40,
        "under_way": 1,
        "least_delay": 2.0,
        "most_delay": 2.0,
        "coordinator": 0.33,
        "cpu_ms": 0.8,
        "agents_busy": 0.5,
        "step": int(now // 10),
        "steps": [10, 20, 30],
    }
    topic = made_topic(ada)
    for _ in range(2):
        made_crawl(
            topic,
            runner=this_process(),
            load=load,
            agents=1,
            lent_agents=2,
            metrics={"pages_per_second": 206.0},
        )
    made_crawl(topic, state="paused", load=load | {"at": now - 100})
    text = site.get(PAGE).content.decode()
    for message in (
        "<b>412</b> pages/s",
        "<b>politeness</b> of 2 crawls",
        "0.8 ms CPU a page",
        "<b>33\u202f%</b>",
        "<b>50\u202f%</b>",
        '<td class="number">3</td>',
    ):
        assert message in text, message
    assert text.count("politeness: 41 hosts at 2 s") == 2
    # Three crawls fetched 2 pages a second each in the last step that has ended.
    assert "94.0,3.0" in text


def test_pieces_are_sent_only_where_they_differ(site, asked) -> None:
    first = json.loads(site.get(PAGE + "live/").content)
    assert set(first["pieces"]) == set(pieces.NAMES)
    shown = ",".join(f"{name}:{piece['stamp']}" for name, piece in first["pieces"].items())
    events.write("agents_joined", "bora", agents=[1, 2, 3])
    again = json.loads(site.get(PAGE + "live/", {"shown": shown}).content)
    assert set(again["pieces"]) == {"events"}
    assert "agent-1 to agent-3." in again["pieces"]["events"]["html"]


def test_what_is_asked_reaches_the_agents_that_exist_and_is_an_event(site, asked, ada) -> None:
    site.post(PAGE + "act/", {"drain": "a"})
    message = site.post(PAGE + "act/", {"resume": "a,b"}, follow=True).content.decode()
    assert "agent-4 and agent-5 of mistral: take requests again." in message
    for wrong in ({"drain": "z"}, {"kill": "a"}, {"drain": ""}, {"drain": "a,z"}):
        answer = site.post(PAGE + "act/", wrong, follow=True)
        assert "There is no such agent any more" in answer.content.decode()
    assert asked == [("drain", "a"), ("resume", "a", "b")]
    reports = [(e.kind, e.machine, e.payload["agents"], e.by) for e in MachineEvent.objects.all()]
    assert reports == [
        ("agents_resumed", "mistral", [4, 5], ada),
        ("agents_drained", "mistral", [4], ada),
    ]
    assert "of agent-4. By ada." in site.get(PAGE + "events/").content.decode()


def test_a_refused_machine_is_listed_until_it_joins(site, asked) -> None:
    events.write("refused", "scirocco", what="agents", version="1.5.2", code="aa", site="bb")
    text = site.get(PAGE).content.decode()
    assert "it runs 1.5.2 (aa), the site bb" in text and "How to upgrade" in text
    events.write("agents_joined", "scirocco", agents=[1])
    assert "How to upgrade" not in site.get(PAGE).content.decode()


def test_the_newest_events_stand_on_the_page_and_all_on_their_own(site, settings) -> None:
    settings.REDIS_URL = ""
    for crawl in range(1, 9):
        events.write("worker_lost", "", crawl=crawl)
    page = site.get(PAGE).content.decode()
    assert "All 8" in page and "Open #8" in page and "Open #2" not in page
    assert site.get(PAGE + "events/").content.decode().count("another machine") == 8


def test_a_running_crawl_names_who_serves_it(site, ada, settings) -> None:
    settings.REDIS_URL = ""
    crawl = made_crawl(made_topic(ada))
    Crawl.objects.filter(pk=crawl.pk).update(
        runner=this_process(), state="running", agents=1, lent_agents=3
    )
    text = site.get(PAGE).content.decode()
    assert f"#{crawl.pk}" in text and "this machine" in text
    assert "4 agents, 3 of other machines" in site.get(f"/crawls/{crawl.pk}/").content.decode()


def test_workers_are_drained_resumed_and_forgotten_by_machine(site, ada, settings) -> None:
    settings.REDIS_URL = ""
    crawl = made_crawl(
        made_topic(ada), runner=this_process(), state="running", metrics={"pages_per_second": 7.0}
    )
    workers.join()
    long_ago = timezone.now() - timedelta(minutes=5)
    Workers.objects.create(system="b-1", machine="levante", room=4, alive_at=long_ago)

    def act(**asked: str) -> str:
        return site.post(PAGE + "workers/", asked, follow=True).content.decode()

    text = site.get(PAGE).content.decode()
    assert settings.MACHINE in text and f"#{crawl.pk}" in text and "1 of 2" in text
    assert text.count('name="drain"') == text.count('name="forget"') == 1
    text = act(drain=this_system())
    assert "those they run are handed on at the next commit" in text and "draining" in text
    Crawl.objects.update(runner="", state="queued")
    text = site.get(PAGE).content.decode()
    # Other tests may have left tasks in the queue.
    assert re.search(r"\b1 crawl and \d+ other tasks? wait|nothing waits", text)
    assert "drained" in text and text.count('name="resume"') == 1
    assert "take crawls again" in act(resume=this_system())
    assert not workers.are_drained()
    text = act(forget="b-1")
    assert "no longer listed" in text and "<b>levante</b>" not in text
    for wrong in ({"drain": "b-1"}, {"kill": this_system()}, {}):
        assert "There is no such machine any more" in act(**wrong)
    eve = site_of(person("eve"))
    assert eve.post(PAGE + "workers/", {"drain": this_system()}).status_code == 404


def test_without_redis_it_shows_what_there_is(site, settings) -> None:
    settings.REDIS_URL, settings.AGENTS = "", 2
    text = site.get(PAGE).content.decode()
    assert "0 agents of other machines" in text and "has 2 of its own" in text
    settings.AGENTS = 0
    assert "0 agents: crawls fetch by themselves." in site.get(PAGE).content.decode()


@pytest.mark.parametrize("verb", ["drain", "forget"])
def test_while_redis_does_not_answer_pages_and_verbs_report_it(
    site, settings, monkeypatch, verb
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    def broker(cluster: str) -> SimpleNamespace:
        return SimpleNamespace(queue_size=redis.Redis.from_url(settings.REDIS_URL).dbsize)

    monkeypatch.setattr(workload, "get_broker", broker)
    page = site.get(PAGE).content.decode()
    assert pieces.UNREACHABLE in page and "how many tasks wait is not known" in page
    done = site.post(PAGE + "act/", {verb: "a"}, follow=True)
    assert views.NOT_ASKED in done.content.decode()
    assert site.get("/metrics").status_code == 200


@pytest.mark.parametrize(
    ("bucket", "message"),
    [
        ("", "data folder, over a shared disk"),
        ("pages", "settings of the bucket pages"),
    ],
)
def test_it_names_what_a_machine_with_workers_needs(site, asked, settings, bucket, message) -> None:
    settings.S3_BUCKET = bucket
    assert message in site.get(PAGE).content.decode()

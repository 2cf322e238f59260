"""The administrators' page of agents and workers."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
import redis
from django.test import Client
from django.utils import timezone

from apps.crawls import workload
from apps.crawls.models import Crawl
from apps.engine.agents.meeting import AgentWord
from apps.jobs.process import this_place, this_process
from apps.machines import registry, workers
from apps.machines.models import Workers
from apps.machines.registry import LentAgent
from apps.screens.accounts import machines
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
PAGE = "/administration/machines/"
WORD = AgentWord(
    machine="mistral", number=4, cores=16, machine_memory=2**35, room=32, rate=82.0, busy=0.88,
    cpu_ms=2.1, out=31, rates=[41.0, 82.0], memory=240 * 2**20, serves=["15.2", "11.1"],
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
    found: list[tuple[str, ...]] = []
    agents = [
        LentAgent("a", WORD, 0.3, "running"),
        LentAgent("b", replace(WORD, number=5, out=6), 0.1, "draining"),
        LentAgent("c", replace(WORD, number=7, machine="levante"), 72.0, "silent"),
    ]
    settings.REDIS_URL = "redis://db.test"
    monkeypatch.setattr(registry, "agents", lambda: agents)
    monkeypatch.setattr(
        machines, "workload", lambda: SimpleNamespace(
            states={"queued": 0}, queues={"crawl": 0, "background": 2}))
    for name, (_, words) in machines.VERBS.items():
        def note(*names: str, verb: str = name) -> None:
            found.append((verb, *names))
        monkeypatch.setitem(machines.VERBS, name, (note, words))
    return found


def test_to_others_it_is_not_there(ada) -> None:
    eve = site_of(person("eve"))
    assert eve.get(PAGE).status_code == 404
    assert eve.post(PAGE + "act/", {"verb": "drain", "agent": "a"}).status_code == 404


def test_it_lists_agents_by_machine_with_what_may_be_asked_of_each(site, asked) -> None:
    text = site.get(PAGE).content.decode()
    for said in ("mistral", "levante", "agent-4", "88", "240", ">#15<", ">#11<", "6 left",
                 "72.0 s", "1 silent"):
        assert said in text, said
    # Two of sixty steps are known, and stand at the right end.
    assert text.count('points="92.4,11.0 94.0,3.0"') == 3
    assert text.count('value="drain"') == 1
    assert text.count('value="resume"') == text.count('value="forget"') == 1


def test_what_is_asked_reaches_the_agents_that_exist(site, asked) -> None:
    site.post(PAGE + "act/", {"verb": "drain", "agent": "a"})
    site.post(PAGE + "act/", {"verb": "resume", "agent": ["a", "b"]})
    for wrong in ({"verb": "drain", "agent": "z"}, {"verb": "kill", "agent": "a"},
                  {"verb": "drain"}):
        answer = site.post(PAGE + "act/", wrong, follow=True)
        assert "There is no such agent any more" in answer.content.decode()
    assert asked == [("drain", "a"), ("resume", "a", "b")]


def test_a_running_crawl_says_who_serves_it(site, ada, settings) -> None:
    settings.REDIS_URL = ""
    crawl = made_crawl(made_topic(ada))
    Crawl.objects.filter(pk=crawl.pk).update(
        runner=this_process(), state="running", agents=1, lent_agents=3)
    text = site.get(PAGE).content.decode()
    assert f"#{crawl.pk}" in text and "this machine" in text
    assert "4 agents, 3 of other machines" in site.get(f"/crawls/{crawl.pk}/").content.decode()


def test_workers_are_drained_resumed_and_forgotten_by_machine(site, ada, settings) -> None:
    settings.REDIS_URL = ""
    crawl = made_crawl(made_topic(ada), runner=this_process(), state="running",
                       metrics={"pages_per_second": 7.0})
    workers.join()
    long_ago = timezone.now() - timedelta(minutes=5)
    Workers.objects.create(place="b-1", machine="levante", room=4, said_at=long_ago)

    def act(**asked: str) -> str:
        return site.post(PAGE + "workers/", asked, follow=True).content.decode()

    text = site.get(PAGE).content.decode()
    assert settings.MACHINE in text and f"#{crawl.pk}" in text and "1 of 2" in text
    assert text.count('value="drain"') == text.count('value="forget"') == 1
    text = act(verb="drain", place=this_place())
    assert "those they run are handed on at the next commit" in text and "draining" in text
    Crawl.objects.update(runner="", state="queued")
    text = site.get(PAGE).content.decode()
    # Other tests may have left tasks in the queue.
    assert re.search(r"\b1 crawl and \d+ other tasks? wait", text)
    assert "drained" in text and text.count('value="resume"') == 1
    assert "take crawls again" in act(verb="resume", place=this_place())
    assert not workers.are_drained()
    assert "levante" not in act(verb="forget", place="b-1").partition("no longer listed")[2]
    for wrong in ({"verb": "drain", "place": "b-1"}, {"verb": "kill", "place": this_place()}, {}):
        assert "There is no such machine any more" in act(**wrong)
    eve = site_of(person("eve"))
    assert eve.post(PAGE + "workers/", {"verb": "drain", "place": this_place()}).status_code == 404


def test_without_redis_it_says_what_there_is(site, settings) -> None:
    settings.REDIS_URL, settings.AGENTS = "", 2
    text = site.get(PAGE).content.decode()
    assert "No machine lends agents" in text and "has 2 of its own" in text


@pytest.mark.parametrize("verb", ["drain", "forget"])
def test_while_redis_does_not_answer_pages_and_verbs_say_so(
    site, settings, monkeypatch, verb
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    def broker(cluster: str) -> SimpleNamespace:
        return SimpleNamespace(queue_size=redis.Redis.from_url(settings.REDIS_URL).dbsize)

    monkeypatch.setattr(workload, "get_broker", broker)
    page = site.get(PAGE).content.decode()
    assert machines.UNREACHABLE in page and "how many other tasks is not known" in page
    done = site.post(PAGE + "act/", {"verb": verb, "agent": "a"}, follow=True)
    assert machines.NOT_ASKED in done.content.decode()
    assert "Redis does not answer" in site.get("/administration/").content.decode()
    assert site.get("/metrics").status_code == 200


@pytest.mark.parametrize(("bucket", "said"), [
    ("", "data folder, over a shared disk"), ("pages", "settings of the bucket pages"),
])
def test_it_says_what_a_machine_with_workers_needs(site, asked, settings, bucket, said) -> None:
    settings.S3_BUCKET = bucket
    assert said in site.get(PAGE).content.decode()

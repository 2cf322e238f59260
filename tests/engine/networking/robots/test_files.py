from __future__ import annotations

import asyncio
import json

from apps.engine.answers import Answer
from apps.engine.networking.robots.files import MOST_ORIGINS, Robots
from tests.engine.networking.robots.answers import AGENT, HOST, answered


class Server:
    """Answers robots.txt and counts how often."""

    def __init__(self, answer: Answer, seconds: float = 0.0) -> None:
        self.answer = answer
        self.seconds = seconds
        self.asked: list[str] = []

    async def __call__(self, url: str) -> Answer:
        self.asked.append(url)
        await asyncio.sleep(self.seconds)
        return self.answer


async def test_an_origin_is_asked_once_however_many_wait():
    robots = Robots(AGENT)
    server = Server(answered("User-agent: *\nDisallow: /x"), 0.02)
    rules = await asyncio.gather(*(robots.rules(f"{HOST}/{i}", server) for i in range(20)))
    assert server.asked == [f"{HOST}/robots.txt"]
    assert not any(one.allows(f"{HOST}/x") for one in rules)
    await robots.rules("https://host.test/", server)
    assert server.asked[1:] == ["https://host.test/robots.txt"]


async def test_whoever_waits_asks_when_the_first_is_cancelled():
    robots = Robots(AGENT)
    server = Server(answered("User-agent: *\nDisallow: /x"), 3600)
    first = asyncio.create_task(robots.rules(f"{HOST}/1", server))
    while not server.asked:
        await asyncio.sleep(0)
    second = asyncio.create_task(robots.rules(f"{HOST}/2", server))
    await asyncio.sleep(0.01)
    server.seconds = 0
    first.cancel()
    assert not (await second).allows(f"{HOST}/x")
    assert len(server.asked) == 2


async def test_a_file_lasts_a_day():
    now = [1_000.0]
    robots = Robots(AGENT, lambda: now[0])
    server = Server(answered("User-agent: *\nDisallow: /x"))
    for moment, asked in ((0, 1), (86_000, 1), (86_500, 2), (50_000, 3)):
        now[0] = 1_000.0 + moment
        await robots.rules(f"{HOST}/", server)
        assert len(server.asked) == asked


async def test_an_unreachable_file_is_asked_again_ever_later():
    now = [1_000.0]
    robots = Robots(AGENT, lambda: now[0])
    server = Server(answered("", 503, "http_503"))
    asked = []
    for _ in range(400):
        await robots.rules(f"{HOST}/", server)
        if len(server.asked) > len(asked):
            asked.append(now[0] - 1_000)
        now[0] += 10
    assert asked == [0, 20, 60, 140, 300, 620, 1_260, 2_540]
    server.answer = answered("")
    now[0] += 10_000
    assert (await robots.rules(f"{HOST}/", server)).allows(f"{HOST}/x")


async def test_it_is_known_how_long_until_an_unreachable_file_is_asked_for_again():
    now = [1_000.0]
    robots = Robots(AGENT, lambda: now[0])
    server = Server(answered("", 503, "http_503"))
    assert robots.seconds_until_retry(f"{HOST}/") == 0
    await robots.rules(f"{HOST}/", server)
    assert robots.seconds_until_retry(f"{HOST}/x") == 20
    assert robots.seconds_until_retry("http://other.test/") == 0
    now[0] += 15
    assert robots.seconds_until_retry(f"{HOST}/") == 5
    now[0] += 5
    assert robots.seconds_until_retry(f"{HOST}/") == 0
    await robots.rules(f"{HOST}/", server)
    assert robots.seconds_until_retry(f"{HOST}/") == 40
    server.answer = answered("")
    now[0] += 40
    await robots.rules(f"{HOST}/", server)
    assert robots.seconds_until_retry(f"{HOST}/") == 0


async def test_nothing_is_kept_of_those_who_waited():
    robots = Robots(AGENT)
    server = Server(answered(""), 0.02)
    await asyncio.gather(*(robots.rules(f"http://h{i % 3}.test/", server) for i in range(30)))
    assert len(server.asked) == 3 and robots._asking == {}


async def test_a_snapshot_spares_a_resumed_crawl_the_question():
    now = [1_000.0]
    robots = Robots(AGENT, lambda: now[0])
    await robots.rules(f"{HOST}/", Server(answered("User-agent: *\nDisallow: /x")))
    await robots.rules("http://down.test/", Server(answered("", 503, "http_503")))
    kept = json.loads(json.dumps(robots.snapshot()))
    resumed = Robots(AGENT, lambda: now[0])
    resumed.restore(kept)
    silent = Server(answered(""))
    assert not (await resumed.rules(f"{HOST}/", silent)).allows(f"{HOST}/x")
    assert (await resumed.rules("http://down.test/", silent)).unreachable == "http_503"
    assert silent.asked == []
    assert resumed.snapshot() == robots.snapshot()
    now[0] += 90_000
    assert resumed.cached(f"{HOST}/") is None


async def test_memory_is_bounded():
    robots = Robots(AGENT)
    server = Server(answered("User-agent: *\nDisallow: /" + "x" * 100_000))
    for i in range(200):
        await robots.rules(f"http://h{i}.test/", server)
    assert sum(len(entry.text) for entry in robots.snapshot()) <= 8 * 2**20
    small = Server(answered(""))
    for i in range(MOST_ORIGINS + 50):
        await robots.rules(f"http://s{i}.test/", small)
    assert len(robots.snapshot()) == MOST_ORIGINS

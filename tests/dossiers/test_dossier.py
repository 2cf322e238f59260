"""A dossier against the access log of the served web."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from django.utils import timezone

from apps.crawls.models import Crawl, HostRequest, RobotsVersion
from apps.crawls.sources.shape import user_agent
from apps.dossiers.dossier import Dossier, host_named, make_dossier
from apps.dossiers.plain import as_plain, digest
from apps.dossiers.robots import MOST_LINES, RobotsText, _changes
from apps.engine.answers import Answer
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.crawls.run_here import bread, made_web, new_crawl, run
from tests.made_web import MadeWeb
from tests.people import Program, person, site_of
from tests.served_web import ServedLog, served

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alike]
HOST = "h1.test"
RULES = "User-agent: *\nDisallow: /p/5\nAllow: /p/54.html\nCrawl-delay: 0.1\n"


class RuledWeb(MadeWeb):
    """The made web, where a host sends its robots.txt elsewhere and is busy at times."""

    def __init__(self) -> None:
        super().__init__(pages=160, hosts=4)
        self.rules = RULES
        self.busy = 2

    def get(self, url: str) -> Answer:
        if url == f"http://{HOST}/robots.txt":
            there = (("Location", "/robots"),)
            return Answer(url, url, status=302, headers=there)
        if url == f"http://{HOST}/robots":
            return self._text(url, self.rules)
        if url.startswith(f"http://{HOST}/p/") and self.busy:
            self.busy -= 1
            wait = (("Retry-After", "1"),) if self.busy else ()
            return Answer(url, url, status=503, headers=wait, body=b"busy", failure="http_503")
        return super().get(url)


@pytest.fixture
def web() -> RuledWeb:
    return RuledWeb()


@pytest.fixture
def site(web: RuledWeb, tmp_path: Path):
    with served(web, tmp_path / "access.log") as site:
        yield site


@pytest.fixture
def topic(web: RuledWeb, site: ServedLog, data_dir: Path) -> Topic:
    row = made_web(data_dir, MadeWeb(pages=160, hosts=4))
    topic = bread(person("ada"), row, MadeWeb(pages=160, hosts=4))
    Web.objects.update(served_port=site.port)
    return topic


def crawl_over_http(topic: Topic, **values: object) -> Crawl:
    crawl = new_crawl(topic, strategy="breadth_first", budget=130, **values)
    Crawl.objects.filter(pk=crawl.pk).update(over="http")
    crawl.refresh_from_db()
    return run(crawl)


def dossier_of(topic: Topic, host: str = HOST) -> Dossier:
    return make_dossier(topic, host, Crawl.objects.filter(topic=topic))


def test_a_dossier_is_the_hosts_log(topic: Topic, site: ServedLog, web: RuledWeb) -> None:
    crawl_over_http(topic)
    web.rules = RULES.replace("0.1", "0.2")
    crawl_over_http(topic)
    for number in range(4):
        host = f"h{number}.test"
        log, dossier = site.lines(host), dossier_of(topic, host)
        assert [row.url for row in dossier.requests] == [line.url for line in log]
        assert [row.status for row in dossier.requests] == [line.status for line in log]
        assert [row.size for row in dossier.requests] == [line.size for line in log]
        assert all(
            row.at.timestamp() <= line.at + 0.001
            for row, line in zip(dossier.requests, log, strict=True)
        )
        assert dossier.delays.number == len(log) - 2 > 10
        assert not dossier.delays.short
    dossier = dossier_of(topic)
    assert dossier.robots_requests == 4 and dossier.page_requests > 10

    # Two texts of one origin, with the lines that applied.
    first, second = dossier.robots
    assert (first.text, second.text) == (RULES, web.rules)
    assert first.reads == second.reads == 1 and first.last_at < second.first_at
    assert second.changes == ("- Crawl-delay: 0.1", "+ Crawl-delay: 0.2")
    effects = {line.text: line.effect for line in second.lines}
    assert effects["Crawl-delay: 0.2"] == "kept: 0.2 s instead of 0.05"
    assert re.fullmatch(r"\d refused, for example /p/5.*html", effects["Disallow: /p/5"])
    refused = {web.url(i) for i in (5, 52, 53, 55)}
    assert 1 <= dossier.refused <= len(refused)
    assert not refused & {line.url for line in site.lines(HOST)}

    # Two answers of 503, one with Retry-After, both obeyed.
    assert [each.request.retry_after for each in dossier.delays.slow_downs] == [1.0, None]
    assert dossier.delays.obeyed == 2 and dossier.delays.slow_downs[0].waited >= 0.99

    assert {crawl.user_agent for crawl in dossier.crawls} == {user_agent("")}
    plain = as_plain(dossier)
    assert digest(plain) == plain["sha256"] == as_plain(dossier_of(topic))["sha256"]
    assert digest({**plain, "host": "other.test"}) != plain["sha256"]

    # The screen and the API show the same, and only to people who see the topic.
    text = site_of(topic.owner).get(f"/topics/{topic.pk}/hosts/{HOST}/").content.decode()
    assert plain["sha256"] in text and "kept: 0.2 s instead of 0.05" in text
    sent = Program(topic.owner).get(f"topics/{topic.pk}/hosts/{HOST}/dossier").json()
    assert sent["sha256"] == plain["sha256"] and len(sent["requests"]) == len(dossier.requests)
    eve = person("eve")
    for path in ("", "dossier.json", "requests.csv"):
        assert site_of(eve).get(f"/topics/{topic.pk}/hosts/{HOST}/{path}").status_code == 404
    assert Program(eve).get(f"topics/{topic.pk}/hosts/{HOST}/dossier").status_code == 404

    # The address of a front page is named too.
    # The last request may be one that brought a page, whose row is another.
    logged = HostRequest.objects.filter(host=HOST).values_list("url", flat=True)
    url = next(each.url for each in dossier.requests if each.url in logged)
    HostRequest.objects.filter(host=HOST, url=url).update(url=f"http://{HOST}/")
    text = site_of(topic.owner).get(f"/topics/{topic.pk}/hosts/{HOST}/").content.decode()
    assert '<td class="sign-text">/</td>' in text


def test_a_host_that_was_never_asked(topic: Topic) -> None:
    answer = site_of(topic.owner).get(f"/topics/{topic.pk}/hosts/never.test/")
    assert "Never asked" in answer.content.decode()
    assert site_of(topic.owner).get(f"/topics/{topic.pk}/hosts/no host/").status_code == 404
    assert not RobotsVersion.objects.exists()


@pytest.mark.parametrize(
    ("name", "host"),
    [("a.test", "a.test"), ("A.test", "a.test"), ("a.test:81", "a.test:81"), ("a b", None)],
)
def test_the_name_of_a_host(name: str, host: str | None) -> None:
    assert host_named(name) == host


def test_two_robots_files_made_to_be_slow_are_compared() -> None:
    """Lines of the same letters in other orders took an hour."""
    shuffler = Random(7)

    def text(version: int) -> RobotsText:
        lines = [f"Disallow: /{''.join(shuffler.sample(letters, len(letters)))}" for _ in rows]
        now = timezone.now()
        return RobotsText("", now, now, 1, 200, "", str(version), 0, "\n".join(lines))

    letters, rows = list("abcdefghijklmnopqrstuvwxyz0123456789" * 5), range(MOST_LINES)
    changes = _changes(text(1), text(2))
    assert len(changes) == 2 * MOST_LINES and changes[-1].startswith("+ Disallow: /")

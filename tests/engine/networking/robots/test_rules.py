from __future__ import annotations

from dataclasses import replace

import pytest

from apps.engine.networking.robots.files import Robots
from apps.engine.networking.robots.rules import RobotsRules, applying, parse, product_token
from tests.engine.networking.robots.answers import AGENT, HOST, answered


def allowed(text: str | bytes, path: str) -> bool:
    return parse(answered(text), AGENT).allows(HOST + path)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("User-agent: *\nDisallow: /private", "/private/x", False),
        ("User-agent: *\nDisallow: /private", "/public", True),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("User-agent: *\nDisallow: /\nAllow: /open", "/open/x", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.php$", "/x.php", False),
        ("User-agent: *\nDisallow: /*.php$", "/x.php?a", True),
        ("User-agent: *\nDisallow:", "/x", True),
        ("User-agent: crawlsite\nDisallow: /x\n\nUser-agent: *\nDisallow: /y", "/x", False),
        ("User-agent: crawlsite\nDisallow: /x\n\nUser-agent: *\nDisallow: /y", "/y", True),
        ("User-agent: crawlsite\n\nUser-agent: *\nDisallow: /", "/y", False),
        ("User-agent: crawlsite\nDisallow:\n\nUser-agent: *\nDisallow: /", "/y", True),
        ("User-agent: CRAWLSITE/2.0\nDisallow: /x", "/x", False),
        ("User-agent: crawlsite other words\nDisallow: /x", "/x", False),
        ("User-agent: crawl\nDisallow: /x", "/x", True),
        ("User-agent: crawlsite-images\nDisallow: /x", "/x", True),
        ("User-agent: a\nUser-agent: crawlsite\nDisallow: /x", "/x", False),
        ("User-agent: crawlsite\nDisallow: /x\nUser-agent: b\nDisallow: /y", "/y", True),
        ("User-agent: crawlsite\nDisallow: /x\nUser-agent: crawlsite\nDisallow: /y", "/y", False),
        ("User-agent: *\nSitemap: http://host.test/s\nDisallow: /x", "/x", False),
        ("user-agent:crawlsite\ndisallow:/x # secret", "/x", False),
        ("\ufeffUser-agent: *\nDisallow: /x", "/x", False),
        (b"User-agent: *\r\nDisallow: /caf\xe9\rDisallow: /x", "/x", False),
        ("User-agent: *\nDisallow: /caf\u00e9", "/caf%C3%A9", False),
        ("User-agent: crawlsite\nCrawl-delay: 5\nUser-agent: b\nDisallow: /x", "/x", False),
        ("User-agent: crawlsite\nNoindex: /y\nUser-agent: b\nDisallow: /x", "/x", False),
        ("User-agent: crawlsite\nwords\nUser-agent: b\nDisallow: /x", "/x", False),
        ("User-agent: b\nCrawl-delay: 5\nUser-agent: crawlsite\nDisallow: /x", "/x", False),
        ("User-agent: crawlsite\nAllow: /y\nUser-agent: b\nDisallow: /x", "/x", True),
        ("User-agent: *\nDiasllow: /x", "/x", False),
        ("User-agent: *\nDisallaw: /x", "/x", False),
        ("User-agent: *\nDissalow: /x", "/x", False),
        ("User-agent: *\nDisalow /x", "/x", False),
        ("User-agent: *\nDisallowed: /x", "/x", False),
        ("useragent: *\nDisallow: /x", "/x", False),
        (b"\xefUser-agent: *\nDisallow: /x", "/x", False),
        (b"\xef\xbbUser-agent: *\nDisallow: /x", "/x", False),
        (b"\xef\xbb\xbfUser-agent: *\nDisallow: /x", "/x", False),
        ("Disallow: /x", "/x", True),
        ("<html>not found</html>", "/x", True),
        ("", "/x", True),
    ],
)
def test_it_reads_rules(text, path, expected):
    assert allowed(text, path) is expected


@pytest.mark.parametrize(
    ("agent", "text", "expected"),
    [
        ("360Spider/1.0", "User-agent: 360Spider\nDisallow: /x", False),
        ("Foo2Bot/1.0", "User-agent: Foo2Bot\nDisallow: /x\n\nUser-agent: foo\nAllow: /", False),
        ("Foo2Bot/1.0", "User-agent: Foo\nDisallow: /x", False),
        ("Foo/1.0", "User-agent: Foo2\nDisallow: /x", False),
        (
            "Foo2Bot/1.0",
            "User-agent: Foo3Bot\nDisallow:\n\nUser-agent: Foo2Bot\nDisallow: /x",
            False,
        ),
        ("360Spider/1.0", "User-agent: 361Spider\nDisallow: /x", True),
        ("Foo2/1.0", "User-agent: Foo3\nAllow: /\n\nUser-agent: *\nDisallow: /x", False),
        ("Foo/1.0", "User-agent: Foo2\nDisallow: /x\n\nUser-agent: *\nAllow: /", False),
        ("Büchersucher/1.0", "User-agent: Büchersucher\nDisallow: /x", False),
        ("Büchersucher/1.0", "User-agent: B\nDisallow: /x", True),
        ("Foo/1.0", "User-agent: Fooß\nDisallow: /x", True),
        ("Поиск2/1.0", "User-agent: поиск2\nDisallow: /x", False),
    ],
)
def test_the_agent_asked_for_may_hold_digits(agent, text, expected):
    assert parse(answered(text), agent).allows(f"{HOST}/x") is expected


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/a/b", "Disallow: /a"),
        ("/a/c/d", "Allow: /a/c"),
        ("/x.pdf", "Disallow: /*.pdf$"),
        ("/none", ""),
        ("/same", "Allow: /same"),
    ],
)
def test_the_longest_line_that_matches_decides(path: str, line: str) -> None:
    text = "Disallow: /a\nAllow: /a/c\nDisallow: /*.pdf$\nDisallow: /same\nAllow: /same\n"
    rules = RobotsRules.of(applying(f"User-agent: *\n{text}Crawl-delay: 3", AGENT))
    assert rules.deciding_line(f"{HOST}{path}") == line
    assert rules.allows(f"{HOST}{path}") is not line.startswith("Disallow")


def test_a_product_token_is_what_a_user_agent_begins_with():
    assert product_token("Crawlsite/1.0 (+x)") == "crawlsite"
    assert product_token("my_Bot-two 3") == "my_bot-two"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_an_unavailable_file_allows_all(status):
    rules = parse(answered("User-agent: *\nDisallow: /", status, f"http_{status}"), AGENT)
    assert rules.allows(f"{HOST}/x") and rules.unreachable is None


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (500, "http_500"),
        (503, "http_503"),
        (None, "dns"),
        (None, "timeout"),
        (None, "connect"),
        (None, "address_refused"),
        (200, "protocol"),
    ],
)
def test_an_unreachable_file_allows_nothing(status, failure):
    rules = parse(answered("", status, failure), AGENT)
    assert not rules.allows(f"{HOST}/x") and rules.unreachable == failure


@pytest.mark.parametrize("failure", ["protocol", "bad_url"])
def test_a_redirect_that_leads_nowhere_counts_as_unavailable(failure: str) -> None:
    assert parse(answered("", 301, failure), AGENT).allows(f"{HOST}/x")
    assert not parse(answered("", None, failure), AGENT).allows(f"{HOST}/x")


def test_429_allows_nothing_until_the_time_that_it_names() -> None:
    now = [1_000_000.0]
    robots = Robots(AGENT, lambda: now[0])
    answer = replace(answered("", 429, "http_429"), retry_after=45.0)
    assert not robots._learn(HOST, answer).allows(f"{HOST}/x")
    assert robots.seconds_until_retry(f"{HOST}/x") == 45.0
    restored = Robots(AGENT, lambda: now[0])
    restored.restore(robots.snapshot())
    assert restored.seconds_until_retry(f"{HOST}/x") == 45.0
    restored.restore([tuple(entry)[:5] for entry in robots.snapshot()])  # of an earlier version
    assert restored.seconds_until_retry(f"{HOST}/x") == 20.0


@pytest.mark.parametrize(
    ("written", "delay"),
    [("1,5", 1.5), ("2s", 2.0), (".5 seconds", 0.5), ("3 sec", 3.0), ("1.5 # a note", 1.5)],
)
def test_a_delay_is_read_as_people_write_it(written: str, delay: float) -> None:
    assert parse(answered(f"User-agent: *\nCrawl-delay: {written}"), AGENT).crawl_delay == delay


def test_too_many_redirects_count_as_unavailable():
    rules = parse(answered("", 302, "too_many_redirects"), AGENT)
    assert rules.allows(f"{HOST}/x") and rules.unreachable is None


def test_an_empty_file_allows_all():
    assert parse(answered("", 200, "empty"), AGENT).allows(f"{HOST}/x")


def test_only_500_kib_are_read():
    filler = "#" * (500 * 1024)
    assert allowed("User-agent: *\nDisallow: /x\n" + filler, "/x") is False
    assert allowed(filler + "\nUser-agent: *\nDisallow: /x\n", "/x") is True


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 7.5", 7.5),
        ("User-agent: *\nCrawl-delay: -1", None),
        ("User-agent: *\nCrawl-delay: nan", None),
        ("User-agent: x\nCrawl-delay: 7", None),
        ("User-agent: *\nCrawl-delay: 3\nUser-agent: crawlsite\nCrawl-delay: 9", 9.0),
        ("", None),
    ],
)
def test_it_reads_the_crawl_delay(text, delay):
    assert parse(answered(text), AGENT).crawl_delay == delay


def test_only_the_lines_that_apply_are_kept():
    text = "User-agent: other\nDisallow: /a\n\nUser-agent: *\nDisallow: /b # why\nNoise: x\n"
    assert applying(text, AGENT) == "Disallow: /b"


def test_a_file_of_many_names_and_many_rules_is_read_in_one_pass():
    names = "".join(f"User-agent: bot{i}x\n" for i in range(12_000))
    rules = "".join(f"Disallow: /{i}\n" for i in range(12_000))
    assert applying(names + rules, AGENT) == ""
    assert applying(names + "User-agent: crawlsite\n" + rules, AGENT).count("\n") == 11_999


def test_rules_compare_by_their_text():
    assert RobotsRules.of("Disallow: /x") == RobotsRules.of("Disallow: /x") != RobotsRules()

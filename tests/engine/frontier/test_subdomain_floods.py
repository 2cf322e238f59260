"""Wildcard names: ever new hosts of one domain with the same text."""

from __future__ import annotations

import json

from apps.engine.frontier.page_text import PageText
from apps.engine.frontier.subdomain_floods import SubdomainFloods
from apps.engine.frontier.traps import Traps

SAME = "buy this domain now".split()


def learn(floods: SubdomainFloods, host: str, words: list[str], path: str = "/") -> str | None:
    return floods.learn(host, PageText(f"http://{host}{path}", [*words, host.split(".")[0]], []))


def learned(hosts: int) -> SubdomainFloods:
    floods = SubdomainFloods()
    for i in range(hosts):
        learn(floods, f"u{i}.spam.com", SAME)
    return floods


def test_seven_hosts_with_one_text_close_the_domain_at_that_address():
    floods = learned(6)
    assert not floods.refuses("http://new.spam.com/", "new.spam.com")
    assert learn(floods, "u6.spam.com", SAME) == "*.spam.com/"
    assert floods.refuses("http://new.spam.com/", "new.spam.com")
    for url, host in (
        ("http://new.spam.com/other", "new.spam.com"),
        ("http://spam.com/", "spam.com"),
        ("http://new.else.com/", "new.else.com"),
    ):
        assert not floods.refuses(url, host)


def test_one_other_text_shows_that_the_hosts_differ():
    floods = learned(4)
    learn(floods, "shop.spam.com", ["a", "shop"])
    for i in range(20):
        assert learn(floods, f"v{i}.spam.com", SAME) is None


def test_honest_blogs_and_names_given_out_are_never_closed():
    floods = SubdomainFloods()
    for i in range(20):
        assert learn(floods, f"u{i}.blogs.com", [f"story{i}"]) is None
        assert learn(floods, f"u{i}.github.io", SAME) is None


def test_its_state_goes_on():
    floods = SubdomainFloods()
    floods.restore(json.loads(json.dumps(learned(6).state())))
    assert learn(floods, "u6.spam.com", SAME) == "*.spam.com/"
    floods.restore(json.loads(json.dumps(floods.state())))
    assert floods.refuses("http://new.spam.com/", "new.spam.com")


def test_a_trusted_domain_is_never_closed_again():
    traps = Traps(many_hosts=True)
    for i in range(7):
        host = f"u{i}.spam.com"
        traps.enter(PageText(f"http://{host}/", SAME, []))
        traps.leave(i, host, [])
    (trap,) = traps.news()
    assert trap.key == ("subdomain_flood", "*.spam.com/")
    assert traps.covers(trap.key, "http://x.spam.com/", "x.spam.com")
    assert traps.refuses("http://x.spam.com/", "x.spam.com")
    traps.trust(trap.key)
    assert not traps.refuses("http://x.spam.com/", "x.spam.com")

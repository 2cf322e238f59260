"""What is discovered, and what the scope excludes."""

from __future__ import annotations

import pytest

from apps.engine.codes import Exclusion
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.url_states import UrlState
from tests.engine.frontier.frontiers import fetch_next, frontier, offer


def test_scope_excludes_by_the_first_rule_and_depth_can_be_mended():
    scope = Scope(deny_hosts=("bad.test",), deny_patterns=("*/calendar/*",), depth=1)
    f = frontier(seeds=2, scope=scope, one_at_a_time=False)
    fetch_next(f)
    offer(
        f,
        0,
        {
            "http://www.bad.test/calendar/": 1.0,
            "http://a.test/calendar/1": 1.0,
            "http://a.test/x.pdf": 1.0,
            "http://a.test/near": 0.5,
        },
    )
    assert f.excluded == {"host_denied": 1, "pattern": 1, "extension": 1}
    near = f.number("http://a.test/near")
    assert f.state_of(near) is UrlState.WAITING
    fetch_next(f)
    fetch_next(f)
    offer(f, near, {"http://a.test/far": 0.5})
    assert f.excluded["depth"] == 1
    offer(f, 1, {"http://a.test/far": 0.5})
    assert f.excluded["depth"] == 0
    assert fetch_next(f) == "http://a.test/far"


def test_a_seed_is_counted_by_its_canonical_url_and_requested_as_written():
    f = frontier(seeds=0)
    f.seed("http://a.test/~owl", 0.0, "http://a.test/%7Eowl")
    assert f.urls[f.pick(0.0)] == "http://a.test/~owl"
    assert f.spelling("http://a.test/~owl") == "http://a.test/%7Eowl"


@pytest.mark.parametrize("returns", [True, False])
def test_a_link_readmits_what_a_trap_alone_kept_out_and_nothing_else(monkeypatch, returns):
    f = frontier(seeds=2, scope=Scope(deny_hosts=("bad.test",)), one_at_a_time=False)
    fetch_next(f)
    links = {"http://a.test/trap": 0.5, "http://a.test/waits": 0.5, "http://bad.test/": 0.5}
    offer(f, 0, links)
    f.exclude(f.number("http://a.test/trap"), Exclusion.TRAP)
    monkeypatch.setattr(f.traps, "returns", lambda url: returns)
    numbers = f.discover([*links, "http://h0.test/seed0"], 1)
    assert [f.state_of(number) for number in numbers] == [
        UrlState.NEW if returns else UrlState.EXCLUDED,
        UrlState.WAITING,
        UrlState.EXCLUDED,
        UrlState.FETCHED,
    ]
    assert +f.excluded == {"host_denied": 1, **({} if returns else {"trap": 1})}

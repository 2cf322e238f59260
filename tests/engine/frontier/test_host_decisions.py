"""Which hosts are in and out, by the most specific name."""

from __future__ import annotations

import pytest

from apps.engine.codes import Exclusion
from apps.engine.frontier.host_decisions import HostDecisions
from apps.engine.frontier.scope import Scope

INSIDE = ("*.a.test", "blog.b.test", "u.test/~ann", "p.test:8080")
OUTSIDE = ("shop.a.test", "*.b.test", "u.test", "u.test/~ann/old")


@pytest.mark.parametrize(
    ("url", "is_in"),
    [
        ("http://a.test/x", True),
        ("http://deep.www.a.test/", True),
        ("http://www.a.test:81/", True),
        ("http://shop.a.test/", False),
        ("http://cart.shop.a.test/", True),
        ("http://b.test/", False),
        ("http://blog.b.test/", True),
        ("http://nota.test/", None),
        ("http://u.test/~ann", True),
        ("http://u.test/~ann/", True),
        ("http://u.test/~ann?page=2", True),
        ("http://u.test/~anna/", False),
        ("http://u.test/~ann/old/2", False),
        ("http://u.test/", False),
        ("http://p.test:8080/", True),
        ("http://p.test/", None),
    ],
)
def test_the_most_specific_name_holds(url, is_in):
    decisions = HostDecisions(INSIDE, OUTSIDE)
    assert decisions.is_in(url, url.split("/")[2]) is is_in


def test_the_reach_excludes_undecided_hosts_and_out_excludes_always():
    reasons = {}
    for reach in ("all", "one_link", "in"):
        scope = Scope(hosts_in=("a.test",), hosts_out=("b.test",), reach=reach)
        reasons[reach] = [
            scope.refusal(f"http://{host}/", host, 1, is_beyond)
            for host, is_beyond in (
                ("a.test", False),
                ("b.test", True),
                ("c.test", True),
                ("c.test", False),
            )
        ]
    out, far = Exclusion.HOST_OUT, Exclusion.HOST_NOT_IN
    assert reasons == {
        "all": [None, out, None, None],
        "one_link": [None, out, None, far],
        "in": [None, out, far, far],
    }

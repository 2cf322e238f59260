from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.strategies.host_thompson import HostThompson
from tests.engine.intelligence.strategies.toy import Waiting, visit_of

A, B, C = "http://a.test", "http://b.test", "http://c.test"


def page(topic, number, url, tau, *targets, links=None):
    """A page with links to those targets, whose numbers are `links`."""
    html = "".join(f"<a href={target}>one</a>" for target in targets)
    return visit_of(html, topic, number=number, url=url, topicality=tau, links=links or [])


def learnt(topic, *pages, **parameters) -> HostThompson:
    strategy = HostThompson(**parameters).fit(topic)
    for each in pages:
        strategy.learn(each)
    return strategy


def three_pages(topic):
    """Two of host a (τ .9 and .6), one of host b (τ .3): a mean of .6."""
    return (
        page(topic, 0, f"{A}/x/1", 0.9, f"{A}/x/9", f"{B}/y/9", links=[5, 6]),
        page(topic, 1, f"{A}/z/1", 0.6),
        page(topic, 2, f"{B}/y/1", 0.3),
    )


@pytest.mark.parametrize(
    ("prior", "of_a", "of_b", "of_new"),
    [
        # Twenty pages of the mean .6: a 12 + .9 + .6, b 8 + .1 + .4.
        ("crawl", (13.5, 8.5), (12.3, 8.7), (12.0, 8.0)),
        ("uniform", (2.5, 1.5), (1.3, 1.7), (1.0, 1.0)),
    ],
)
def test_a_host_draws_from_a_beta_of_its_judged_pages(topic, prior, of_a, of_b, of_new):
    a, b = learnt(topic, *three_pages(topic), prior=prior).posteriors()
    # Places in the order found: a/x/, b/y/, a/z/; last a host not seen yet.
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    assert [pytest.approx(each) for each in pairs] == [of_a, of_b, of_a, of_new]


def test_a_link_gets_the_odds_of_its_page_times_those_of_its_place_by_a_new_hosts(topic):
    strategy = learnt(topic, *three_pages(topic))
    nothing_drawn = strategy.score_links(three_pages(topic)[0])
    assert nothing_drawn == pytest.approx([0.9, 0.9])
    strategy.draws_ = np.array([0.8, 0.1, 0.4, 0.6])
    visit = page(topic, 3, f"{C}/", 0.75, f"{A}/x/2", f"{B}/y/2", f"{A}/z/2", f"{C}/w/1")
    # Odds of 3 times 4, 1/9 and 2/3, by 3/2: 8, 2/9, 4/3 and 3.
    assert strategy.score_links(visit) == pytest.approx([8 / 9, 2 / 11, 4 / 7, 3 / 4])
    assert strategy.explain(visit, 1) == {"P(c|u)": 0.75, "q": 0.1, "q of a new host": 0.6}


def test_waiting_links_are_ranked_by_new_draws(topic):
    # URLs 5 (a/x/) and 6 (b/y/) wait, both linked from page 0 (τ .9), URL 6 from page 2 too (τ .3).
    strategy = learnt(topic, *three_pages(topic), explore=0.0)
    ranked = strategy.rescore(Waiting([5, 6], [(0, 5), (0, 6), (2, 6)]))
    draws = strategy.draws_[[0, 1]] / (1 - strategy.draws_[[0, 1]])
    odds = 9 * draws / (strategy.draws_[-1] / (1 - strategy.draws_[-1]))
    assert ranked.tolist() == pytest.approx((odds / (1 + odds)).tolist())
    before = strategy.draws_
    strategy.rescore(Waiting([5, 6], [(0, 5), (0, 6)]))
    assert not np.isclose(before[:3], strategy.draws_[:3]).any()


@pytest.mark.parametrize("folders", [True, False])
def test_hosts_and_their_folders_are_distinguished_by_what_became_of_their_pages(topic, folders):
    # Host a is on the topic in its folder x, not in z; host b is not at all.
    pages = [
        page(topic, 3 * i + n, f"{address}/{i}", tau)
        for i in range(200)
        for n, (address, tau) in enumerate([(f"{A}/x", 0.9), (f"{A}/z", 0.1), (f"{B}/y", 0.1)])
    ]
    strategy = learnt(topic, *pages, folders=folders)
    strategy.rescore(Waiting([]))
    x, z, y, _ = strategy.draws_
    wanted = (0.9, 0.1, 0.1) if folders else (0.5, 0.5, 0.1)
    assert (x, z, y) == pytest.approx(wanted, abs=0.12)
    if not folders:
        assert x == z


def test_a_random_host_has_its_best_link_fetched_first(topic):
    # With λ₀ = 1 always at the start; after d pages the chance is a half.
    pages = (
        page(topic, 0, f"{A}/x/1", 0.9, f"{A}/x/2", f"{B}/y/2", f"{B}/y/3", links=[5, 6, 7]),
        page(topic, 1, f"{B}/y/1", 0.2),
    )
    links = [(0, 5), (1, 6), (0, 7)]
    first = set()
    strategy = learnt(topic, *pages, explore=1.0)
    for _ in range(20):
        first.add(int(strategy.rescore(Waiting([5, 6, 7], links)).argmax()))
    assert first == {0, 2}  # b's best is URL 7
    strategy.pages_ = 100
    ones = [strategy.rescore(Waiting([5, 6, 7], links)).max() == 1 for _ in range(400)]
    assert np.mean(ones) == pytest.approx(0.5, abs=0.1)


def test_new_judgements_replace_those_of_a_page(topic):
    strategy = learnt(topic, *three_pages(topic), prior="uniform")
    again = page(topic, 1, f"{A}/z/1", 0.1)
    assert strategy.relearn(again) is again
    a, b = strategy.posteriors()
    assert (a[0], b[0]) == pytest.approx((2.0, 2.0))  # 1 + .9 + .1, 1 + .1 + .9
    assert strategy.rescore(Waiting([8], [(1, 8)])).max() == pytest.approx(0.1)

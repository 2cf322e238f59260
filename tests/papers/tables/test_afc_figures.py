"""AFC's figures of the apprentice, on a small made web."""

from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.strategies.apprentice import Apprentice
from apps.engine.parsing.document import parse_html
from apps.engine.topics import CrawledPage
from apps.papers.tables import afc_apprentice
from apps.papers.tables.afc_apprentice import _losses, _switch
from apps.papers.tables.afc_figures import mean_promise, reproduce
from apps.papers.tables.options import Options


@pytest.fixture(scope="module")
def figures(parted):
    options = Options("made", pages=20, universities=("north",))
    return reproduce(parted, options, lambda line: None)


def pages(*taus: float) -> tuple[tuple[CrawledPage, float], ...]:
    return tuple(
        (CrawledPage(f"http://a.test/{i}", parse_html("x", f"http://a.test/{i}")), tau)
        for i, tau in enumerate(taus)
    )


def test_every_figure_is_there(figures):
    (study,) = figures.studies
    assert [window.dmax for window in study.windows] == list(range(9))
    for window in study.windows:
        assert [at.offset for at in window.at] == list(range(-window.dmax, window.dmax + 1))
        assert sum(at.rate for at in window.at) == pytest.approx(1.0)
    assert len(study.tags) == 11
    first = study.windows[0]
    assert first.offsets == first.plain and first.offsets.links == study.links > 0
    text = figures.text()
    assert "Held-out accuracy" in text and "recall crawler" in text and "before" in text


def test_on_line_the_crawl_is_the_baselines_until_the_switch(figures):
    baseline, recall, _, online, *_ = (each.course for each in figures.studies[0].losses)
    switch = figures.studies[0].switch
    assert switch.pages == 10 and online[:10] == baseline[:10]
    # The recall crawler ends with the baseline's pages, and so with its loss.
    assert len(recall) <= len(baseline) == 20
    if len(recall) == 20:
        assert recall[-1] == pytest.approx(baseline[-1])


def test_baseline_and_apprentice_are_crawled_by_the_published_rule_for_parents_too(
    parted, monkeypatch
):
    crawled = []
    closed = afc_apprentice.closed_crawl

    def note(part, web, model, strategy, pages, policy):
        crawl = closed(part, web, model, strategy, pages, policy=policy)
        crawled.append((strategy.id, crawl.plan.policy))
        return crawl

    monkeypatch.setattr(afc_apprentice, "closed_crawl", note)
    options = Options("made", pages=20, universities=("north",))
    (study,) = reproduce(parted, options, lambda line: None).studies
    assert [each for each in crawled if each[1] == "first"] == [
        ("full_page", "first"),
        ("apprentice", "first"),
    ]
    assert len(crawled) == 8 and {policy for _, policy in crawled} == {"max", "first"}
    names = [each.crawler for each in study.losses]
    assert names[-2:] == ["baseline, first parent", "apprentice, first parent"]


def test_losses_by_hand():
    # Losses .2, .6 and 1: their means after each page are .2, .4 and .6.
    losses = _losses("x", pages(0.8, 0.4, 0.0), frozenset({"http://a.test/1"}))
    assert losses.course == pytest.approx((0.2, 0.4, 0.6)) and losses.labelled == 1 / 3
    apprentice = Apprentice(first_reorder=2)
    apprentice.promise_ = {}
    assert _switch(apprentice, pages(0.5), pages(0.5)) is None
    apprentice.promise_ = {
        "promise_before": np.array([1.0, *[0] * 8, 2]),
        "promise_after": np.array([2.0, 0, 0, 0, 0, 1, 0, 0, 0, 0]),
    }
    switch = _switch(apprentice, pages(0.5, 0.5, 0.3), pages(0.5, 0.5, 0.9))
    assert (switch.before, switch.after) == ((1, *[0] * 8, 2), (2, 0, 0, 0, 0, 1, 0, 0, 0, 0))
    losses = (switch.stretch, switch.loss_before, switch.loss_after, switch.baseline)
    assert losses == pytest.approx((1, 0.5, 0.1, 0.7))


def test_the_promise_of_the_waiting_links_is_counted_in_tenths(figures):
    # One link at .05 and two at .95: a mean of 1.95/3.
    assert mean_promise((1, *[0] * 8, 2)) == pytest.approx(0.65)
    assert mean_promise((0,) * 10) is None
    seen, switch = figures.observed(), figures.studies[0].switch
    for name, counts in (("before", switch.before), ("after", switch.after)):
        line = f"{name} the switch"
        assert seen.column("promise", line).tolist() == [pytest.approx(mean_promise(counts))]
        assert seen.column("abandoned", line).tolist() == [counts[0] / sum(counts)]

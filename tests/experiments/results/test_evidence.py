"""Crawls without evidence, drawn at random: no row, field or sentence claims what is not there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.crawls.charts.recall import RECALL
from apps.crawls.measures.estimates import RecallInterval
from apps.engine.crawl.recording import Recorder
from apps.engine.evaluation.measure import GroundTruth
from apps.engine.evaluation.target_recall import estimated_recall
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.model import TokenRows, Verdict
from apps.experiments.results.answer import answer
from apps.experiments.results.choice import choose
from apps.experiments.results.tables import rows_of_cells, rows_of_tests
from tests.engine.crawl.test_recording import pending
from tests.experiments.made_outcomes import made
from tests.experiments.results.made_answers import with_state

RATES = ("harvest_rate", "harvest_without_seeds", "harvest_recent", "soft_harvest")


class Drawn:
    """A judge whose verdicts are drawn, one a page in their order."""

    def __init__(self, verdicts: list[bool], judged_by: str) -> None:
        self.of_pages: PageMemory[Verdict] = PageMemory()
        self.judged_by = judged_by
        self._verdicts = iter(verdicts)

    def judge(self, pages: TokenRows) -> list[Verdict]:
        return [
            Verdict(3, 3, 0.9) if next(self._verdicts) else Verdict(0, 3, 0.1)
            for _ in range(len(pages))
        ]


@st.composite
def crawls(draw: st.DrawFn) -> SimpleNamespace:
    pages = draw(st.integers(1, 120))
    script = draw(st.sampled_from([0.0, 0.3, 1.0]))
    relevant = draw(st.sampled_from([0.0, 0.02, 0.5]))
    luck = np.random.default_rng(draw(st.integers(0, 1000)))
    return SimpleNamespace(
        script=[bool(each) for each in luck.random(pages) < script],
        verdicts=[bool(each) for each in luck.random(pages) < relevant],
        judged_by=draw(st.sampled_from(["committee", "guiding_classifier", "none"])),
        targets=draw(st.sampled_from([0, 3])),
    )


def recorded(crawl: SimpleNamespace) -> tuple[Recorder, dict[str, Any]]:
    judge = None if crawl.judged_by == "none" else Drawn(crawl.verdicts, crawl.judged_by)
    recorder = Recorder(
        committee=judge,
        truth=GroundTruth(frozenset(f"http://target.test/{n}" for n in range(crawl.targets))),
        labels=lambda url: None,
        inlinks=lambda url: None,
        sample_every=10,
    )
    for seq, script in enumerate(crawl.script, 1):
        recorder.page(pending(seq, script=script))
    recorder.close()
    return recorder, recorder.metrics


@settings(max_examples=60, deadline=None)
@given(crawls())
def test_numbers_of_a_crawl_need_evidence(crawl):
    _, metrics = recorded(crawl)
    judged = 0 if crawl.judged_by == "none" else len(crawl.script) - sum(crawl.script)
    relevant = sum(crawl.verdicts[:judged])
    for name in RATES:
        assert (metrics[name] is not None) is bool(judged), name
    if judged:
        assert metrics["harvest_rate"] == relevant / judged
    assert metrics["needs_javascript"] == sum(crawl.script)
    assert (metrics["target_recall"] is not None) is bool(crawl.targets)
    if not relevant or crawl.judged_by != "committee":
        assert metrics["estimated_recall"] is None
        assert RecallInterval.of(metrics) is None
    columns = {column.title: column for column in RECALL.columns}
    assert columns["Target recall"].keys == ("target_recall",)
    if not relevant:
        assert all(metrics[key] is None for key in columns["Estimated recall"].keys)
    assert (estimated_recall(0, crawl.targets) is None) is (not crawl.targets)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 10), st.integers(0, 10), st.booleans()), min_size=1, max_size=9
    )
)
def test_results_of_crawls_of_any_length_claim_no_page_after_their_end(cells):
    values = {}
    for topic, (one, other, judged) in enumerate(cells):
        for crawler, samples in enumerate((one, other)):
            if samples:
                rate = 0.5 + 0.01 * topic * (1 if crawler else -1)
                values[topic, crawler] = {
                    "harvest_rate": [rate if judged else np.nan] * samples,
                    "target_recall": [np.nan] * samples,
                }
    topics = [f"topic {n}" for n in range(len(cells))]
    results = made(topics=topics, values=values, budget=100, measure="harvest_rate")
    results = with_state(results, "finished")
    for row in rows_of_cells(results):
        if row["fetched"] < row["pages"] - row["pages"] % 10:
            assert row["harvest_rate"] is None
        assert row["target_recall"] is None
    whole = answer(results, choose(results))
    sentence = whole.verdict.sentence + whole.verdict.more
    assert "relevant pages" not in sentence and "target" not in sentence
    pairs = [one and other and judged for one, other, judged in cells]
    test = whole.rows[1].test
    if not any(pairs):
        assert test is None
    else:
        assert test.topics == sum(map(bool, pairs))
        assert test.earlier == sum(
            bool(pair) and min(one, other) < 10
            for pair, (one, other, _) in zip(pairs, cells, strict=True)
        )
    for row in rows_of_tests(results, choose(results)):
        assert row["mean"] is None or row["topics"] > 0


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=9))
def test_no_result_counts_an_estimate_of_recall_that_is_too_vague(cells):
    clear, vague = (0.7, 0.9), (0.1, 0.9)
    values = {
        (topic, crawler): {
            "estimated_recall": [0.8, 0.8 + 0.01 * topic * crawler],
            "estimated_recall_low": [vague[0], clear[0] if is_clear else vague[0]],
            "estimated_recall_high": [vague[1], clear[1] if is_clear else vague[1]],
            "relevant_soon": [3.0, 3.0],
        }
        for topic, pair in enumerate(cells)
        for crawler, is_clear in enumerate(pair)
    }
    topics = [f"topic {n}" for n in range(len(cells))]
    results = made(topics=topics, values=values, budget=20, measure="estimated_recall")
    results = with_state(results, "finished")
    is_clear = {
        (row["topic"], row["crawler"]): row["estimated_recall"] is not None
        for row in rows_of_cells(results)
        if row["pages"] == 20
    }
    assert [*is_clear.values()] == [pair[crawler] for crawler in (0, 1) for pair in cells]
    assert all(
        row["estimated_recall"] is None for row in rows_of_cells(results) if row["pages"] < 20
    )
    both = sum(one and other for one, other in cells)
    for crawler, row in enumerate(rows_of_tests(results, choose(results))):
        assert row["measure"] == "estimated_recall"
        assert row["topics"] == sum(pair[crawler % 2] for pair in cells)
        assert (row["mean"] is not None) is (row["topics"] > 0)
        assert not crawler % 2 or (row["pairs"] or 0) == both

from __future__ import annotations

import numpy as np
import pytest

from apps.crawls.measures.estimates import (
    RecallInterval,
    shown_column,
    shown_metrics,
    shown_value,
)

METRICS = {
    "estimated_recall": 0.82,
    "estimated_recall_low": 0.74,
    "estimated_recall_high": 0.9,
    "relevant_soon": 31.2,
}


@pytest.mark.parametrize(
    ("soon", "more"), [(31.2, "about 31"), (1204.4, "about 1,204"), (0.4, "hardly any")]
)
def test_an_estimate_in_words(soon: float, more: str) -> None:
    estimated = RecallInterval.of({**METRICS, "relevant_soon": soon})
    assert estimated is not None and estimated.words() == (
        "about 82 % (74–90) of the relevant pages within reach are found; the next 1,000 requests"
        f" should add {more}"
    )


def test_a_wide_interval_is_reported_as_what_is_found_at_least() -> None:
    estimated = RecallInterval.of(
        {**METRICS, "estimated_recall_low": 0.07, "estimated_recall_high": 0.97}
    )
    assert estimated is not None and estimated.words().startswith(
        "at least 7 % of the relevant pages within reach are found, at a guess 82 %, but it may be"
        " up to 97 %; the next"
    )
    nothing = RecallInterval.of({**METRICS, "estimated_recall_low": 0.004})
    assert nothing is not None and nothing.words().startswith(
        "how much of the relevant pages within reach is found cannot be told yet, at a guess 82"
        " %; the next"
    )


def test_a_wide_estimate_does_not_stand_alone() -> None:
    wide = {**METRICS, "estimated_recall_low": 0.1, "harvest_rate": 0.3}
    assert shown_value(METRICS, "estimated_recall") == 0.82
    assert shown_value(wide, "estimated_recall") is None
    assert (shown_value(wide, "estimated_recall_low"), shown_value(wide, "harvest_rate")) == (
        0.1,
        0.3,
    )
    assert shown_value({}, "estimated_recall") is shown_value({}, "harvest_rate") is None


def test_a_column_and_a_sample_have_the_same_gaps_as_single_values() -> None:
    wide = {**METRICS, "estimated_recall_low": 0.1}
    samples = [METRICS, wide, {**METRICS, "relevant_soon": None}]
    columns = {
        name: np.array([np.nan if each[name] is None else each[name] for each in samples])
        for name in METRICS
    }
    expected = [0.82, np.nan, np.nan]
    np.testing.assert_equal(shown_column(columns, "estimated_recall"), expected)
    np.testing.assert_equal(shown_column(columns, "estimated_recall_low"), [0.74, 0.1, 0.74])
    assert [shown_metrics(each)["estimated_recall"] for each in samples] == [0.82, None, None]
    assert shown_metrics(wide)["estimated_recall_low"] == 0.1
    assert shown_metrics({"harvest_rate": 0.3}) == {"harvest_rate": 0.3}
    alone = {"estimated_recall": columns["estimated_recall"]}
    assert np.isnan(shown_column(alone, "estimated_recall")).all()


def test_nothing_is_reported_before_there_is_an_estimate() -> None:
    assert RecallInterval.of({}) is None
    assert RecallInterval.of({**METRICS, "relevant_soon": None}) is None

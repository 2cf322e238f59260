"""Verdicts on claims, with answers computed by hand or by scipy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from apps.engine.evaluation.significance import holm, pairs_needed
from apps.papers.claims import ClaimVerdict, Finding, findings, one_tailed, whole_verdict
from apps.papers.schema import Claim
from apps.papers.tables.observed import Observed

BASE = [0.30, 0.32, 0.28, 0.35, 0.31, 0.29, 0.33, 0.30]
BETTER = [
    b + d for b, d in zip(BASE, (0.05, 0.06, 0.04, 0.05, 0.07, 0.05, 0.04, 0.06), strict=True)
]
NOISY = [b + d for b, d in zip(BASE, (0.2, -0.2, 0.15, -0.1, 0.3, -0.25, 0.1, 0.05), strict=True)]


def observed(columns: dict[str, Sequence[float]], fewest: int = 6, **values: Any) -> Observed:
    table = np.array([*columns.values()], np.float64).T
    return Observed("topic", len(table), tuple(columns), {"recall": table}, fewest, **values)


def claim(id: str = "c", **values: Any) -> Claim:
    return Claim.read(
        {
            "id": id,
            "sentence": "So it is",
            "where": "§1",
            "published": "so",
            "measures": ["recall"],
            **values,
        }
    )


def pair(first: str, second: str, direction: str, **values: Any) -> Claim:
    return claim(
        f"{first}-{second}".lower(), pairs=[[first, second]], direction=direction, **values
    )


def judge_claim(claim: Claim, seen: Observed) -> Finding:
    (only,) = findings([claim], seen)
    return only


SEEN = observed({"A": BETTER, "B": BASE, "C": NOISY, "D": BASE})


def test_a_difference_is_tested_by_pairs():
    finding = judge_claim(pair("A", "B", "higher"), SEEN)
    expected = stats.ttest_rel(BETTER, BASE)
    interval = expected.confidence_interval(0.95)
    assert finding.p == pytest.approx(expected.pvalue)
    assert finding.interval == pytest.approx((interval.low, interval.high))
    assert finding.value == pytest.approx(0.0525)
    assert finding.base == pytest.approx(np.mean(BASE))
    assert (finding.verdict, finding.cases, finding.needed) == (ClaimVerdict.REPRODUCED, 8, None)
    assert finding.compared == "A − B"


def test_the_other_direction_is_contradicted():
    assert judge_claim(pair("A", "B", "lower"), SEEN).verdict is ClaimVerdict.CONTRADICTED
    assert judge_claim(pair("B", "A", "higher"), SEEN).verdict is ClaimVerdict.CONTRADICTED


def test_what_the_data_cannot_carry_is_not_shown_and_names_what_would():
    finding = judge_claim(pair("C", "B", "higher"), SEEN)
    differences = np.subtract(NOISY, BASE)
    effect = differences.mean() / differences.std(ddof=1)
    assert finding.verdict is ClaimVerdict.NOT_SHOWN
    assert finding.needed == pairs_needed(effect)
    assert finding.why == ""
    assert judge_claim(pair("C", "B", "lower"), SEEN).why == "the mean points the other way"


def test_all_comparisons_of_a_run_are_corrected_together():
    claims = [
        pair("A", "B", "higher"),
        pair("C", "B", "higher"),
        claim("trend", order=["B", "A"], direction="higher"),
    ]
    several = findings(claims, SEEN)
    assert [each.holm for each in several] == pytest.approx(holm([each.p for each in several]))
    # p of one alone is below .05 but not after Holm over eleven.
    weak = observed(
        {
            "A": [
                b + d
                for b, d in zip(BASE, (0.05, 0.03, -0.02, 0.04, 0.0, 0.03, 0.01, 0.02), strict=True)
            ],
            "B": BASE,
        }
    )
    one = pair("A", "B", "higher")
    assert judge_claim(one, weak).verdict is ClaimVerdict.REPRODUCED
    many = observed({"B": BASE, **{f"A{n}": weak.column("recall", "A") for n in range(11)}})
    tested = findings([pair(f"A{n}", "B", "higher") for n in range(11)], many)
    assert {each.verdict for each in tested} == {ClaimVerdict.NOT_SHOWN}
    assert judge_claim(one, weak).needed is None and tested[0].needed > 8


def test_a_comparison_that_two_claims_ask_for_is_corrected_once():
    one = pair("A", "B", "higher")
    again = one.model_copy(update={"id": "again", "direction": "lower"})
    first, second, other = findings([one, again, pair("C", "B", "higher")], SEEN)
    assert first.holm == second.holm == pytest.approx(2 * first.p)
    assert other.holm == pytest.approx(max(other.p, first.holm))
    assert (first.verdict, second.verdict) == (ClaimVerdict.REPRODUCED, ClaimVerdict.CONTRADICTED)


def test_equal_means_that_the_interval_lies_within_the_margin():
    assert judge_claim(pair("A", "B", "equal", within=0.1), SEEN).verdict is ClaimVerdict.REPRODUCED
    assert (
        judge_claim(pair("A", "B", "equal", within=0.02), SEEN).verdict is ClaimVerdict.CONTRADICTED
    )
    undecided = judge_claim(pair("C", "B", "equal", within=0.05), SEEN)
    spread = np.subtract(NOISY, BASE).std(ddof=1)
    room = 0.05 - abs(np.subtract(NOISY, BASE).mean())
    assert undecided.verdict is ClaimVerdict.NOT_SHOWN
    assert undecided.needed == np.ceil((1.96 * spread / room) ** 2)


def test_not_higher_and_not_lower_look_at_one_side():
    assert (
        judge_claim(pair("B", "A", "not higher", within=0.02), SEEN).verdict
        is ClaimVerdict.REPRODUCED
    )
    assert (
        judge_claim(pair("A", "B", "not higher", within=0.02), SEEN).verdict
        is ClaimVerdict.CONTRADICTED
    )
    assert (
        judge_claim(pair("A", "B", "not lower", within=0.02), SEEN).verdict
        is ClaimVerdict.REPRODUCED
    )
    assert (
        judge_claim(pair("B", "A", "not lower", within=0.02), SEEN).verdict
        is ClaimVerdict.CONTRADICTED
    )
    assert (
        judge_claim(pair("C", "B", "not higher", within=0.02), SEEN).verdict
        is ClaimVerdict.NOT_SHOWN
    )


def test_a_trend_is_the_rise_of_a_line_through_the_crawlers():
    rising = {
        name: [b + step for b in BASE] for name, step in zip("PQR", (0, 0.1, 0.2), strict=True)
    }
    rising["R"] = [value + d for value, d in zip(rising["R"], (0.01, -0.01) * 4, strict=True)]
    finding = judge_claim(claim(order=["P", "Q", "R"], direction="higher"), observed(rising))
    by_hand = [np.polyfit([0, 1, 2], row, 1)[0] * 2 for row in zip(*rising.values(), strict=True)]
    assert finding.value == pytest.approx(np.mean(by_hand))
    assert finding.p == pytest.approx(stats.ttest_1samp(by_hand, 0).pvalue)
    assert finding.verdict is ClaimVerdict.REPRODUCED
    falling = claim(order=["P", "Q", "R"], direction="lower")
    assert judge_claim(falling, observed(rising)).verdict is ClaimVerdict.CONTRADICTED
    assert finding.compared == "P → R"


@pytest.mark.parametrize(
    ("published", "within", "verdict"),
    [
        (0.33, 0.05, ClaimVerdict.REPRODUCED),  # ours is .31
        (0.60, 0.05, ClaimVerdict.CONTRADICTED),
    ],
)
def test_a_figure_is_met_within_its_margin(published, within, verdict):
    finding = judge_claim(claim(figures={"B": published}, within=within), SEEN)
    half = stats.t.ppf(0.975, 7) * np.std(BASE, ddof=1) / np.sqrt(8)
    assert finding.interval == pytest.approx((np.mean(BASE) - half, np.mean(BASE) + half))
    assert (finding.verdict, finding.p, finding.published) == (verdict, None, published)


def test_a_figure_whose_interval_is_wider_than_the_margin_is_not_shown():
    # The mean of C is within .1 of .38, its interval is not.
    finding = judge_claim(claim(figures={"C": 0.38}, within=0.1), SEEN)
    low, high = finding.interval
    assert abs(finding.value - 0.38) < 0.1 and (low < 0.28 or high > 0.48)
    half, room = (high - low) / 2, 0.1 - abs(finding.value - 0.38)
    assert finding.verdict is ClaimVerdict.NOT_SHOWN
    assert finding.needed == int(np.ceil(finding.cases * (half / room) ** 2)) > finding.cases


def test_a_figure_whose_mean_is_outside_the_margin_but_not_its_interval_is_not_shown():
    finding = judge_claim(claim(figures={"C": 0.45}, within=0.05), SEEN)
    assert finding.interval[1] > 0.40
    assert finding.verdict is ClaimVerdict.NOT_SHOWN


def test_a_level_of_the_papers_data_is_met_but_never_contradicted():
    far = judge_claim(claim(figures={"B": 0.60}, within=0.05, of_its_data=True), SEEN)
    assert far.verdict is ClaimVerdict.NOT_SHOWN and "cannot contradict" in far.why
    near = judge_claim(claim(figures={"B": 0.33}, within=0.05, of_its_data=True), SEEN)
    assert near.verdict is ClaimVerdict.REPRODUCED


def test_one_value_reproduces_no_figure():
    alone = observed({"B": [0.33]})
    finding = judge_claim(claim(figures={"B": 0.33}, within=0.05), alone)
    assert (finding.verdict, finding.why) == (ClaimVerdict.NOT_SHOWN, "one value has no interval")


def test_the_papers_own_test_is_one_tailed_and_uncorrected():
    better = judge_claim(pair("A", "B", "higher"), SEEN)
    expected = stats.ttest_rel(BETTER, BASE, alternative="greater").pvalue
    assert one_tailed(pair("A", "B", "higher"), better) == pytest.approx(expected)
    other = stats.ttest_rel(BETTER, BASE, alternative="less").pvalue
    assert one_tailed(pair("A", "B", "lower"), better) == pytest.approx(other)
    assert one_tailed(pair("A", "B", "equal", within=0.1), better) is None


def test_too_few_cases_make_no_test():
    few = observed({"A": BETTER[:4], "B": BASE[:4]})
    finding = judge_claim(pair("A", "B", "higher"), few)
    assert (finding.verdict, finding.p, finding.why) == (
        ClaimVerdict.NOT_SHOWN,
        None,
        "a test needs 6 topics",
    )
    assert finding.value is not None
    in_table = observed({"A": BETTER[:4], "B": BASE[:4]}, fewest=3)
    assert judge_claim(pair("A", "B", "higher"), in_table).verdict is ClaimVerdict.REPRODUCED


def test_unknown_values_leave_their_case_out():
    holed = observed({"A": [np.nan, *BETTER[1:]], "B": [*BASE[:7], np.nan]})
    assert judge_claim(pair("A", "B", "higher"), holed).cases == 6


def test_what_cannot_be_tested_has_a_reason():
    gone = observed({"A": [np.nan] * 8, "B": BASE})
    assert judge_claim(pair("A", "B", "higher", needs="a directory"), gone).why == "a directory"
    assert "these values" in judge_claim(pair("A", "B", "higher"), gone).why
    same = judge_claim(pair("B", "D", "equal", within=0.1), SEEN)
    assert (same.verdict, same.why) == (ClaimVerdict.CANNOT, "they did the same on every topic")
    static = judge_claim(
        Claim.read(
            {
                "id": "c",
                "sentence": "s",
                "where": "§1",
                "published": "p",
                "cannot": "the Web is gone",
            }
        ),
        SEEN,
    )
    assert (static.verdict, static.why) == (ClaimVerdict.CANNOT, "the Web is gone")
    assert judge_claim(pair("A", "Z", "higher"), SEEN).verdict is ClaimVerdict.CANNOT


def test_a_part_of_the_topics_and_a_stretch_of_the_crawl_may_be_asked_for():
    early = {"recall": np.array([BASE, BETTER]).T}
    parts = {"hardest": [0, 1]}
    seen = observed({"A": BETTER, "B": BASE}, during={(0.2, 0.35): early}, parts=parts)
    hardest = judge_claim(pair("A", "B", "higher", part="hardest"), seen)
    assert (hardest.cases, hardest.value) == (2, pytest.approx(0.055))
    over = judge_claim(pair("A", "B", "higher", during=[0.2, 0.35]), seen)
    assert over.value == pytest.approx(-0.0525)
    assert judge_claim(pair("A", "B", "higher", during=[0, 1]), seen).verdict is ClaimVerdict.CANNOT
    assert (
        judge_claim(pair("A", "B", "higher", part="easiest"), seen).verdict is ClaimVerdict.CANNOT
    )


def test_a_figure_with_a_direction_is_to_be_exceeded():
    above = claim(figures={"A": 0.3}, direction="higher")
    finding = judge_claim(above, SEEN)
    assert finding.p == pytest.approx(stats.ttest_1samp(BETTER, 0.3).pvalue)
    assert finding.value == pytest.approx(np.mean(BETTER) - 0.3)
    assert (finding.verdict, finding.compared) == (ClaimVerdict.REPRODUCED, "A − 0.3")
    below = claim(figures={"A": 0.3}, direction="lower")
    assert judge_claim(below, SEEN).verdict is ClaimVerdict.CONTRADICTED


def test_the_verdict_on_a_claim_is_that_of_its_comparisons():
    def verdict(*verdicts: ClaimVerdict) -> ClaimVerdict:
        finding = judge_claim(pair("A", "B", "higher"), SEEN)
        return whole_verdict([finding.but(verdict=each) for each in verdicts])

    reproduced, contradicted, not_shown, cannot = ClaimVerdict
    assert verdict(reproduced, reproduced) is reproduced
    assert verdict(reproduced, cannot) is reproduced
    assert verdict(reproduced, not_shown) is not_shown
    assert verdict(reproduced, not_shown, contradicted) is contradicted
    assert verdict(cannot, cannot) is cannot

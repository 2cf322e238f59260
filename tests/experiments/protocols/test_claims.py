"""Verdicts on claims, with answers computed by hand or by scipy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from apps.engine.evaluation.significance import holm, pairs_needed
from apps.experiments.protocols.claims import Finding, Verdict, findings, whole_verdict
from apps.experiments.protocols.schema import Claim
from apps.experiments.reproduce.observed import Observed

BASE = [0.30, 0.32, 0.28, 0.35, 0.31, 0.29, 0.33, 0.30]
BETTER = [b + d for b, d in zip(BASE, (0.05, 0.06, 0.04, 0.05, 0.07, 0.05, 0.04, 0.06),
                                strict=True)]
NOISY = [b + d for b, d in zip(BASE, (0.2, -0.2, 0.15, -0.1, 0.3, -0.25, 0.1, 0.05),
                               strict=True)]


def observed(columns: dict[str, Sequence[float]], fewest: int = 6, **values: Any) -> Observed:
    table = np.array([*columns.values()], np.float64).T
    return Observed("topic", len(table), tuple(columns), {"recall": table}, fewest, **values)


def claim(id: str = "c", **values: Any) -> Claim:
    return Claim.read({"id": id, "says": "So it is", "where": "§1", "published": "so",
                       "measures": ["recall"], **values})


def pair(first: str, second: str, direction: str, **values: Any) -> Claim:
    return claim(f"{first}-{second}".lower(), pairs=[[first, second]], direction=direction,
                 **values)


def found(claim: Claim, seen: Observed) -> Finding:
    (only,) = findings([claim], seen)
    return only


SEEN = observed({"A": BETTER, "B": BASE, "C": NOISY, "D": BASE})


def test_a_difference_is_tested_by_pairs():
    finding = found(pair("A", "B", "higher"), SEEN)
    expected = stats.ttest_rel(BETTER, BASE)
    interval = expected.confidence_interval(0.95)
    assert finding.p == pytest.approx(expected.pvalue)
    assert finding.interval == pytest.approx((interval.low, interval.high))
    assert finding.value == pytest.approx(0.0525)
    assert finding.base == pytest.approx(np.mean(BASE))
    assert (finding.verdict, finding.cases, finding.needed) == (Verdict.REPRODUCED, 8, None)
    assert finding.compared == "A − B"


def test_the_other_direction_is_contradicted():
    assert found(pair("A", "B", "lower"), SEEN).verdict is Verdict.CONTRADICTED
    assert found(pair("B", "A", "higher"), SEEN).verdict is Verdict.CONTRADICTED


def test_what_the_data_cannot_carry_is_not_shown_and_says_what_would():
    finding = found(pair("C", "B", "higher"), SEEN)
    differences = np.subtract(NOISY, BASE)
    effect = differences.mean() / differences.std(ddof=1)
    assert finding.verdict is Verdict.NOT_SHOWN
    assert finding.needed == pairs_needed(effect)
    assert finding.why == ""
    assert found(pair("C", "B", "lower"), SEEN).why == "the mean points the other way"


def test_all_comparisons_of_a_run_are_corrected_together():
    claims = [pair("A", "B", "higher"), pair("C", "B", "higher"),
              claim("trend", order=["B", "A"], direction="higher")]
    several = findings(claims, SEEN)
    assert [each.holm for each in several] == pytest.approx(holm([each.p for each in several]))
    # p of one alone is below .05 but not after Holm over eleven.
    weak = observed({"A": [b + d for b, d in zip(BASE, (.05, .03, -.02, .04, .0, .03, .01, .02),
                                                  strict=True)], "B": BASE})
    one = pair("A", "B", "higher")
    assert found(one, weak).verdict is Verdict.REPRODUCED
    many = observed({"B": BASE, **{f"A{n}": weak.column("recall", "A") for n in range(11)}})
    tested = findings([pair(f"A{n}", "B", "higher") for n in range(11)], many)
    assert {each.verdict for each in tested} == {Verdict.NOT_SHOWN}
    assert found(one, weak).needed is None and tested[0].needed > 8


def test_a_comparison_that_two_claims_ask_for_is_corrected_once():
    one = pair("A", "B", "higher")
    again = one.model_copy(update={"id": "again", "direction": "lower"})
    first, second, other = findings([one, again, pair("C", "B", "higher")], SEEN)
    assert first.holm == second.holm == pytest.approx(2 * first.p)
    assert other.holm == pytest.approx(max(other.p, first.holm))
    assert (first.verdict, second.verdict) == (Verdict.REPRODUCED, Verdict.CONTRADICTED)


def test_equal_means_that_the_interval_lies_within_the_margin():
    assert found(pair("A", "B", "equal", within=0.1), SEEN).verdict is Verdict.REPRODUCED
    assert found(pair("A", "B", "equal", within=0.02), SEEN).verdict is Verdict.CONTRADICTED
    undecided = found(pair("C", "B", "equal", within=0.05), SEEN)
    spread = np.subtract(NOISY, BASE).std(ddof=1)
    room = 0.05 - abs(np.subtract(NOISY, BASE).mean())
    assert undecided.verdict is Verdict.NOT_SHOWN
    assert undecided.needed == np.ceil((1.96 * spread / room) ** 2)


def test_not_higher_and_not_lower_look_at_one_side():
    assert found(pair("B", "A", "not higher", within=0.02), SEEN).verdict is Verdict.REPRODUCED
    assert found(pair("A", "B", "not higher", within=0.02), SEEN).verdict is Verdict.CONTRADICTED
    assert found(pair("A", "B", "not lower", within=0.02), SEEN).verdict is Verdict.REPRODUCED
    assert found(pair("B", "A", "not lower", within=0.02), SEEN).verdict is Verdict.CONTRADICTED
    assert found(pair("C", "B", "not higher", within=0.02), SEEN).verdict is Verdict.NOT_SHOWN


def test_a_trend_is_the_rise_of_a_line_through_the_crawlers():
    rising = {name: [b + step for b in BASE] for name, step in zip("PQR", (0, .1, .2),
                                                                 strict=True)}
    rising["R"] = [value + d for value, d in zip(rising["R"], (.01, -.01) * 4, strict=True)]
    finding = found(claim(order=["P", "Q", "R"], direction="higher"), observed(rising))
    by_hand = [np.polyfit([0, 1, 2], row, 1)[0] * 2 for row in zip(*rising.values(), strict=True)]
    assert finding.value == pytest.approx(np.mean(by_hand))
    assert finding.p == pytest.approx(stats.ttest_1samp(by_hand, 0).pvalue)
    assert finding.verdict is Verdict.REPRODUCED
    falling = claim(order=["P", "Q", "R"], direction="lower")
    assert found(falling, observed(rising)).verdict is Verdict.CONTRADICTED
    assert finding.compared == "P → R"


@pytest.mark.parametrize(("published", "within", "verdict"), [
    (0.33, 0.05, Verdict.REPRODUCED),   # ours is .31
    (0.60, 0.05, Verdict.CONTRADICTED),
])
def test_a_figure_is_met_within_its_margin(published, within, verdict):
    finding = found(claim(figures={"B": published}, within=within), SEEN)
    half = stats.t.ppf(0.975, 7) * np.std(BASE, ddof=1) / np.sqrt(8)
    assert finding.interval == pytest.approx((np.mean(BASE) - half, np.mean(BASE) + half))
    assert (finding.verdict, finding.p, finding.published) == (verdict, None, published)


def test_a_figure_that_a_wide_interval_holds_is_not_shown():
    finding = found(claim(figures={"C": 0.45}, within=0.05), SEEN)
    assert finding.interval[0] < 0.45 < finding.interval[1]
    assert finding.verdict is Verdict.NOT_SHOWN


def test_too_few_cases_make_no_test():
    few = observed({"A": BETTER[:4], "B": BASE[:4]})
    finding = found(pair("A", "B", "higher"), few)
    assert (finding.verdict, finding.p, finding.why) == (
        Verdict.NOT_SHOWN, None, "a test needs 6 topics")
    assert finding.value is not None
    in_table = observed({"A": BETTER[:4], "B": BASE[:4]}, fewest=3)
    assert found(pair("A", "B", "higher"), in_table).verdict is Verdict.REPRODUCED


def test_unknown_values_leave_their_case_out():
    holed = observed({"A": [np.nan, *BETTER[1:]], "B": [*BASE[:7], np.nan]})
    assert found(pair("A", "B", "higher"), holed).cases == 6


def test_what_cannot_be_tested_says_why():
    gone = observed({"A": [np.nan] * 8, "B": BASE})
    assert found(pair("A", "B", "higher", needs="a directory"), gone).why == "a directory"
    assert "these values" in found(pair("A", "B", "higher"), gone).why
    same = found(pair("B", "D", "equal", within=0.1), SEEN)
    assert (same.verdict, same.why) == (Verdict.CANNOT, "they did the same on every topic")
    static = found(Claim.read({"id": "c", "says": "s", "where": "§1", "published": "p",
                               "cannot": "the Web is gone"}), SEEN)
    assert (static.verdict, static.why) == (Verdict.CANNOT, "the Web is gone")
    assert found(pair("A", "Z", "higher"), SEEN).verdict is Verdict.CANNOT


def test_a_part_of_the_topics_and_the_course_may_be_asked_for():
    course = {"recall": np.array([BASE, BETTER]).T}
    seen = observed({"A": BETTER, "B": BASE}, course=course, parts={"hardest": [0, 1]})
    hardest = found(pair("A", "B", "higher", part="hardest"), seen)
    assert (hardest.cases, hardest.value) == (2, pytest.approx(0.055))
    over = found(pair("A", "B", "higher", over_the_crawl=True), seen)
    assert over.value == pytest.approx(-0.0525)
    assert found(pair("A", "B", "higher", part="easiest"), seen).verdict is Verdict.CANNOT


def test_the_verdict_on_a_claim_is_that_of_its_comparisons():
    def verdict(*verdicts: Verdict) -> Verdict:
        finding = found(pair("A", "B", "higher"), SEEN)
        return whole_verdict([finding.but(verdict=each) for each in verdicts])

    reproduced, contradicted, not_shown, cannot = Verdict
    assert verdict(reproduced, reproduced) is reproduced
    assert verdict(reproduced, cannot) is reproduced
    assert verdict(reproduced, not_shown) is not_shown
    assert verdict(reproduced, not_shown, contradicted) is contradicted
    assert verdict(cannot, cannot) is cannot

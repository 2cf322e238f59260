"""The sentence of a comparison: no stronger than its tests."""

from __future__ import annotations

from apps.engine.evaluation.average_status import AverageStatus
from apps.engine.evaluation.estimated_recall import EstimatedRecall
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.soft_harvest import LossRate
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.results.paired_tests import Method, PValue
from apps.experiments.results.paired_tests import Test as PairedTest
from apps.experiments.results.sentences import Conclusion, of_tests


def a_test(
    crawler, mean, p, measure=TargetRecall, base=0.40, method=Method.TWO_TAILED, **values
) -> PairedTest:
    wins = (17, 3) if (mean > base) is not measure.less_is_better else (3, 17)
    half = abs(mean - base) * (0.4 if p < 0.05 else 1.4)
    values = {"interval": (mean - base - half, mean - base + half), **values}
    return PairedTest(
        measure,
        crawler,
        "Full page",
        20,
        mean,
        base,
        *wins,
        method=method,
        p_values={method: PValue(p / 2, p)},
        compared=7,
        **values,
    )


def message(*tests: PairedTest, when: str = "at 1,000 pages") -> Conclusion:
    return of_tests(tests, when)


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def test_the_best_of_those_shown_comes_first_and_the_others_together():
    verdict = message(
        a_test("Apprentice", 0.42, 0.051),
        a_test("Tag tree combo", 0.46, 0.004),
        a_test("Learner", 0.50, 1e-6),
        a_test("Text window combo", 0.44, 0.03),
        a_test("Breadth-first", 0.30, 1e-5),
    )
    assert plain(verdict.sentence) == (
        "Learner found 25 % more of the targets than Full page at 1,000 pages (15–35 %, 95 % "
        "interval; p < 0.001 after Holm), better on 17 of 20 topics."
    )
    assert [words.text for words in verdict.main if words.strong] == ["Learner", "25\u202f% more"]
    assert plain(verdict.more) == (
        "Tag tree combo and Text window combo found 10–15 % more, Breadth-first found 25 % fewer. "
        "For Apprentice no difference from Full page is shown, which is not “equal”."
    )


def test_what_is_not_shown_is_not_called_equal():
    verdict = message(a_test("Apprentice", 0.42, 0.051, needed=31))
    assert plain(verdict.sentence) == (
        "No difference between Apprentice and Full page is shown at 1,000 pages, which is not "
        "“equal”: 5.0 % more of the targets over 20 topics (−2 to +12 %, 95 % interval; p = 0.051 "
        "after Holm; about 31 topics would be needed)."
    )


def test_a_single_worse_crawler_is_reported_to_be_worse():
    assert plain(message(a_test("Breadth-first", 0.30, 0.01)).sentence) == (
        "Breadth-first found 25 % fewer of the targets than Full page at 1,000 pages (15–35 %, "
        "95 % interval; p = 0.010 after Holm), worse on 17 of 20 topics."
    )


def test_where_none_is_better_the_best_mean_is_reported_with_its_doubts():
    verdict = message(
        a_test("Apprentice", 0.42, 0.06),
        a_test("Breadth-first", 0.30, 0.01),
        a_test("Fish-Search", 0.38, 0.5),
    )
    assert plain(verdict.sentence).startswith(
        "No crawler is shown to be better than Full page at 1,000 pages. Apprentice is furthest "
        "ahead: 5.0 % more of the targets over 20 topics ("
    )
    assert plain(verdict.more) == (
        "Breadth-first found 25 % fewer. For Fish-Search no difference from Full page is shown, "
        "which is not “equal”."
    )


def test_a_rate_is_reported_as_a_rate_with_its_judge():
    sentence = message(a_test("Learner", 0.50, 0.01, HarvestRateTrue)).sentence
    assert sentence.startswith(
        "Harvest rate by the web's labels: Learner is 10.0 points higher than Full page at 1,000 "
        "pages ("
    )
    assert "relevant pages" not in sentence


def test_topics_read_before_the_moment_are_counted():
    sentence = message(a_test("Learner", 0.50, 0.01, HarvestRateTrue, earlier=6)).sentence
    assert (
        "at 1,000 pages (6 of 20 topics at fewer, equal pages, where a crawl had ended) ("
        in sentence
    )
    estimates = message(a_test("Learner", 0.50, 0.01, EstimatedRecall, earlier=6)).sentence
    assert "(6 of 20 topics at fewer, equal pages, the last with an estimate)" in estimates


def test_what_is_not_counted_is_reported_as_a_number():
    assert plain(message(a_test("Utility", 2.5, 0.01, AverageStatus, base=2.26)).sentence) == (
        "Average status: Utility is 0.24 higher than Full page at 1,000 pages (0.14–0.34, 95 % "
        "interval; p = 0.010 after Holm), better on 17 of 20 topics."
    )


def test_a_lower_loss_is_better():
    verdict = message(
        a_test("Apprentice", 0.30, 0.01, LossRate), a_test("Fish", 0.50, 0.02, LossRate)
    )
    assert "Apprentice is 10.0 points lower than Full page" in verdict.sentence
    assert "better on 17 of 20" in verdict.sentence
    assert verdict.more == "Fish is 10.0 points higher."


def test_a_one_tailed_test_asks_only_whether_it_is_better():
    tests = [
        a_test("Learner", 0.50, 0.01, method=Method.ONE_TAILED),
        a_test("Breadth-first", 0.30, 0.99, method=Method.ONE_TAILED),
    ]
    assert "p = 0.010 after Holm, one-tailed)" in message(*tests).sentence
    assert message(*tests).more == "Breadth-first is not shown to be better than Full page."
    assert message(tests[1]).sentence.startswith(
        "Breadth-first is not shown to be better than Full page at 1,000 pages: "
    )


def test_many_crawlers_are_counted():
    tests = [a_test(f"C{i}", 0.41 + i / 1000, 0.01) for i in range(9)]
    assert plain(message(*tests).more) == "C0, C1, C2, C3 and 4 others found 2.5–4.2 % more."

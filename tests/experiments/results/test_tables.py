"""Everything that is said can be computed again, by scipy alone, from the rows that are exported.

Nothing here uses the code that it checks: rows are read as a stranger would read them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from math import nan

import numpy as np
import pytest
from scipy.stats import sem, ttest_rel, wilcoxon

from apps.experiments.results.choice import choose
from apps.experiments.results.tables import csv_of_cells, csv_of_p, csv_of_tests
from tests.experiments.made_outcomes import made
from tests.experiments.results.made_answers import flat, spread, with_state

CRAWLERS = ("full_page", "apprentice", "hits", "breadth_first")
MEASURES = ("target_recall", "loss_rate", "average_status")


@pytest.fixture(scope="module")
def results():
    """Nine topics, four crawlers, up to three repetitions; some cells are missing, some crawls
    ended early, some values are unknown."""
    rng = np.random.default_rng(5)
    cells = {}
    for topic in range(9):
        for crawler in range(4):
            if (topic, crawler) == (2, 1):
                continue
            repetitions = 1 + (topic + crawler) % 3
            length = 6 if (topic, crawler) == (4, 3) else 20
            cells[topic, crawler] = [
                {
                    name: (
                        0.3 + 0.02 * topic + 0.02 * crawler + rng.normal(0, 0.02, length)
                    ).tolist()
                    for name in MEASURES
                }
                for _ in range(repetitions)
            ]
    for each in cells[7, 0]:
        each["average_status"] = [nan] * 20
    for each in cells[8, 2]:
        each["average_status"][:5] = [nan] * 5
    topics = [f"topic {n}" for n in range(8)] + ["=1+1"]
    outcomes = made(CRAWLERS, topics, cells, every=2, budget=40, repetitions=3)
    return with_state(outcomes, "finished")


def read(lines: Iterable[bytes]) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(b"".join(lines).decode(), newline=""))]


def averaged(rows, measure: str, at: str, crawlers: Sequence[str]) -> dict[str, dict[str, float]]:
    """By crawler and topic: the mean over repetitions at equal pages, or over them as area."""
    curves: dict[tuple[str, str], dict[int, list[float]]] = {}
    for row in rows:
        value = float(row[measure]) if row[measure] else nan
        if row["crawler"] in crawlers:
            cell = curves.setdefault((row["crawler"], row["topic"]), {})
            cell.setdefault(int(row["pages"]), []).append(value)
    means = {
        key: {pages: float(np.mean(values)) for pages, values in cell.items()}
        for key, cell in curves.items()
    }
    result: dict[str, dict[str, float]] = {}
    for (crawler, topic), cell in means.items():
        of_topic = [other for (_, name), other in means.items() if name == topic]
        having = [other for other in of_topic if not all(np.isnan([*other.values()]))]
        shared = [pages for pages in cell if not any(np.isnan(each[pages]) for each in having)]
        if at != "area":
            shared = [pages for pages in shared if pages <= int(at)][-1:]
        value = np.mean([cell[pages] for pages in shared]) if shared else nan
        if not np.isnan(value):
            result.setdefault(crawler, {})[topic] = float(value)
    return result


def holm_of(p_values: list[float]) -> list[float]:
    order = sorted(range(len(p_values)), key=lambda position: p_values[position])
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, position in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[position]))
        corrected[position] = largest
    return corrected


def test_every_statistic_can_be_computed_again_from_the_cells(results):
    cells, tests = (
        read(csv_of_cells(results)),
        read(csv_of_tests(results, choose(results, at="20"))),
    )
    assert {row["at"] for row in tests} == {"40", "20", "area"}
    assert {row["measure"] for row in tests} == {*MEASURES}
    for measure in MEASURES:
        for at in ("20", "40", "area"):
            rows = [row for row in tests if (row["measure"], row["at"]) == (measure, at)]
            assert [row["crawler"] for row in rows] == [
                "Full page",
                "Apprentice",
                "HITS",
                "Breadth-first",
            ]
            check_means(rows, cells, measure, at)
            check_tests(rows[1:], cells, measure, at)


def check_means(rows, cells, measure: str, at: str) -> None:
    for row in rows:
        own = [*averaged(cells, measure, at, [row["crawler"]])[row["crawler"]].values()]
        assert int(row["topics"]) == len(own)
        assert float(row["mean"]) == pytest.approx(np.mean(own))
        assert float(row["standard_error"]) == pytest.approx(sem(own))


def check_tests(rows, cells, measure: str, at: str) -> None:
    lines = []
    for row in rows:
        values = averaged(cells, measure, at, [row["crawler"], "Full page"])
        own, base = values[row["crawler"]], values["Full page"]
        topics = sorted({*own} & {*base})
        one, other = ([each[topic] for topic in topics] for each in (own, base))
        two_tailed = ttest_rel(one, other)
        better = "less" if measure == "loss_rate" else "greater"
        interval = two_tailed.confidence_interval(0.95)
        differences = np.subtract(one, other)
        effect = differences.mean() / differences.std(ddof=1)
        for name, value in {
            "pairs": len(topics),
            "t": two_tailed.statistic,
            "p_two_tailed": two_tailed.pvalue,
            "p_one_tailed": ttest_rel(one, other, alternative=better).pvalue,
            "p_wilcoxon": wilcoxon(one, other).pvalue,
            "difference": differences.mean(),
            "interval_low": interval.low,
            "interval_high": interval.high,
            "effect": effect,
            "paired_mean": np.mean(one),
            "paired_base_mean": np.mean(other),
        }.items():
            assert float(row[name]) == pytest.approx(value), name
        gains = -differences if measure == "loss_rate" else differences
        assert (int(row["better"]), int(row["worse"])) == ((gains > 0).sum(), (gains < 0).sum())
        low, high = float(row["bootstrap_low"]), float(row["bootstrap_high"])
        assert low < differences.mean() < high
        assert low == pytest.approx(interval.low, abs=0.7 * (interval.high - interval.low))
        lines.append([float(row[f"p_{kind}"]) for kind in KINDS])
    for column, kind in enumerate(KINDS):
        corrected = [float(row[f"holm_{kind}"]) for row in rows]
        assert corrected == pytest.approx(holm_of([line[column] for line in lines]))


KINDS = ("two_tailed", "one_tailed", "wilcoxon")


@pytest.mark.parametrize("test", KINDS)
def test_p_over_the_crawl_is_that_of_each_moment(results, test):
    cells, rows = read(csv_of_cells(results)), read(csv_of_p(results, choose(results, test=test)))
    pages = {row["pages"] for row in cells}
    assert len(rows) == len(MEASURES) * 3 * len(pages)
    for at in ("6", "40"):
        reached = [row for row in cells if row["fetched"] == row["pages"]]
        raw, ours = [], []
        for row in rows:
            if (row["measure"], row["pages"]) == ("loss_rate", at):
                at_page = [each for each in reached if each["pages"] == at]
                values = averaged(at_page, "loss_rate", at, [row["crawler"], "Full page"])
                base = values["Full page"]
                topics = sorted({*values[row["crawler"]]} & {*base})
                pair = [values[row["crawler"]][t] for t in topics], [base[t] for t in topics]
                again = (
                    wilcoxon(*pair)
                    if test == "wilcoxon"
                    else ttest_rel(
                        *pair, alternative="less" if test == "one_tailed" else "two-sided"
                    )
                )
                assert float(row["p"]) == pytest.approx(again.pvalue)
                raw.append(again.pvalue)
                ours.append(float(row["holm"]))
        assert ours == pytest.approx(holm_of(raw))


def test_a_line_of_the_cells_is_one_moment_of_one_crawl(results):
    rows = read(csv_of_cells(results))
    short = [row for row in rows if (row["topic"], row["crawler"]) == ("topic 4", "Breadth-first")]
    first = [row for row in short if row["repetition"] == "1"]
    assert [row["pages"] for row in first] == [str(n) for n in range(1, 41)]
    assert {row["crawl_pages"] for row in first} == {"12"}
    assert [row["fetched"] for row in first[:3]] == ["0", "2", "2"]
    assert first[0]["target_recall"] == ""
    assert {row["fetched"] for row in first[12:]} == {"12"}
    assert {row["target_recall"] for row in first[12:]} == {first[11]["target_recall"]}
    assert first[11]["loss_rate"] and {row["loss_rate"] for row in first[12:]} == {""}
    assert {row["topic"] for row in rows if "=" in row["topic"]} == {"'=1+1"}


def test_numbers_are_not_rounded(results):
    (row, *_) = [row for row in read(csv_of_cells(results)) if row["pages"] == "40"]
    outcome = results.cells[0, 0][0]
    assert float(row["target_recall"]) == outcome.result.values["target_recall"][-1]


def test_before_the_end_there_are_means_and_no_tests():
    ends = spread(8, 0.1)
    ends[0][1] = None
    running = with_state(flat(ends), "running")
    rows = read(csv_of_tests(running, choose(running)))
    assert {row["p_two_tailed"] for row in rows} == {""}
    assert all(row["mean"] for row in rows)
    assert read(csv_of_p(running, choose(running))) == []

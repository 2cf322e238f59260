"""The section on estimated recall: known answers."""

from __future__ import annotations

from apps.experiments.effectiveness.document import write_document
from apps.experiments.effectiveness.recall_result import Moment, Reading, ReadTopic, RecallResult
from apps.experiments.effectiveness.recalling import BY_JUDGES, BY_LABELS, BY_TRUTH
from tests.experiments.effectiveness.made_results import PLAN, result
from tests.experiments.effectiveness.test_document import row

WEBS = [result("dune", 0.45, 0.46), result("heath", 0.5, 0.4), result("marsh", 0.5, 0.45)]


def made(web: str, low: float) -> RecallResult:
    """Four topics of 20 pages, half of which are found. By the labels all intervals hold that, by
    the judges those of the first topic only, by both those of a web whose `low` is at most .5."""
    topics = []
    for number in range(4):
        judges = Reading(low=0.1, share=0.3, high=0.6 if number == 0 else 0.4, soon=30.0)
        said = {
            BY_TRUTH: Reading(low=0.4, share=0.6, high=0.8, soon=4.0), BY_JUDGES: judges,
            BY_LABELS: Reading(low=low, share=0.6, high=0.9, soon=6.0),
        }
        moments = tuple(Moment(at=at, found=10, added=added, said=said)
                        for at, added in ((100, 4), (500, None)))
        topics.append(ReadTopic(topic=str(number), reachable=20, moments=moments))
    return RecallResult(web=web, command="", pages=1550, topics=tuple(topics))


def test_it_counts_the_intervals_that_hold_the_truth() -> None:
    text = write_document(PLAN, WEBS, recalls=[made("dune", 0.5), made("heath", 0.6)])
    assert row(text, BY_TRUTH)[1:] == [
        "100 % (0.40)", "100 % (0.40)", "100 % (0.40)", "+10 points", "16"]
    assert row(text, BY_JUDGES)[1:] == [
        "25 % (0.35)", "25 % (0.35)", "25 % (0.35)", "−20 points", "16"]
    assert row(text, BY_LABELS)[1:4] == ["100 % (0.40)", "0 % (0.30)", "50 % (0.35)"]
    assert row(text, BY_LABELS, 1)[1:] == ["50 % (0.35)", "50 % (0.35)"]
    assert row(text, BY_TRUTH, 2)[1:] == ["4.0", "4.0", "4.0", "4.0", "100 %", "8"]
    assert row(text, BY_JUDGES, 2)[1:] == ["30.0", "4.0", "30.0", "4.0", "0 %", "8"]
    assert ("holds the truth by the web's labels in 100 %, by the judges in 25 %, by the judges, 30"
            " labels in 50 % of the cases; the goal is 85 %.") in text


def test_topics_of_which_nothing_can_be_reached_are_left_out() -> None:
    nothing = ReadTopic(topic="x", reachable=0, moments=())
    text = write_document(PLAN, WEBS, recalls=[made("dune", 0.5).with_topic(nothing)])
    assert row(text, BY_TRUTH)[-1] == "8"


def test_without_results_there_is_no_section() -> None:
    assert "## Estimated recall" not in write_document(PLAN, WEBS)

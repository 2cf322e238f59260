"""The sentences under the table."""

from __future__ import annotations

from apps.experiments.results.answer import answer
from apps.experiments.results.choice import choose
from tests.experiments.made_outcomes import made
from tests.experiments.results.made_answers import flat, spread, with_state

SAME = "Wilcoxon’s test gives the same verdicts."


def reports(results, **choice) -> list[str]:
    return [*answer(results, choose(results, **choice)).notes]


def test_a_whole_experiment_as_planned_needs_one_note():
    assert reports(flat(spread(10, 0.1))) == [SAME]


def test_a_choice_after_the_start_is_reported():
    results = flat(spread(10, 0.1))
    assert reports(results, at="area")[0] == (
        "The number of pages was chosen after the start: p-values are too small if a choice "
        "follows a look at the results."
    )
    assert reports(results, at="50", baseline="2", test="wilcoxon")[0].startswith(
        "The number of pages, baseline and test were chosen after the start"
    )


def test_missing_topics_and_repetitions_are_counted():
    ends = spread(10, 0.1, 0.2)
    ends[0][1] = ends[3][1] = None
    results = with_state(flat(ends, repetitions=2), "finished")
    assert reports(results)[:2] == [
        "Apprentice: paired over 8 of 10 topics, where both crawlers have a value.",
        "Of 2 repetitions some are missing for 28 pairs of topic and crawler; the mean is over "
        "those that have finished.",
    ]


def test_crawls_that_ended_before_are_counted():
    cells = {
        (topic, crawler): {"target_recall": [0.1] * (4 if crawler and topic < 3 else 10)}
        for topic in range(5)
        for crawler in range(2)
    }
    results = made(topics="abcde", values=cells, at=50)
    assert (
        "3 crawls ended before page 50: Breadth-first 3. What they had reached by then counts."
        in reports(results)
    )
    assert "Pages fetched in all: Full page 500 and Breadth-first 320." in reports(results)
    assert not any("ended before" in note for note in reports(results, at="40"))


def test_a_stopped_experiment_warns_of_its_p():
    ends = spread(10, 0.1)
    ends[9][1] = None
    notes = reports(with_state(flat(ends), "stopped"))
    assert notes[0].startswith("Stopped with 19 of 20 cells: if the results were a reason to stop")


def test_where_the_tests_disagree_they_are_named():
    # Small gains and one large loss: the ranks see the gains, t the loss.
    ends = [[0.4, 0.41 + 0.001 * n] for n in range(14)] + [[0.4, 0.25]]
    (note,) = reports(flat(ends))[:1]
    assert note.startswith("Wilcoxon’s test gives another verdict for Apprentice (p = 0.0")
    assert note.endswith(" after Holm, shown).")
    by_ranks = reports(flat(ends), test="wilcoxon")
    assert any(each.startswith("The paired t-test gives another verdict") for each in by_ranks)


def test_where_the_intervals_disagree_about_0_it_is_reported():
    ends = [[0.4, 0.4], [0.4, 0.4], [0.4, 0.4], *[[0.4, 0.42]] * 4, [0.4, 0.5]]
    notes = reports(flat(ends))
    assert any(
        note.startswith("Whether the interval includes 0 depends on the method for Apprentice")
        for note in notes
    )

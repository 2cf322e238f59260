"""The conclusion: as strong as the cells that have finished allow."""

from __future__ import annotations

from math import nan

from apps.experiments.results.answer import answer
from apps.experiments.results.choice import choose
from tests.experiments.made_outcomes import made
from tests.experiments.results.made_answers import flat, plain, spread, with_state

HARVEST = "harvest_rate"


def message(results, **choice) -> str:
    return plain(answer(results, choose(results, **choice)).verdict.sentence)


def test_the_sentence_of_a_clear_result():
    # Every difference is 0.1 ± 0.01 on ten topics: mean 0.1, error 0.01/3, t at 0.975 of 9: 2.262.
    ends = [[0.4, 0.5 + 0.01 * (-1) ** n] for n in range(10)]
    assert message(flat(ends)) == (
        "Apprentice found 25 % more of the targets than Full page at 100 pages (23–27 %, 95 % "
        "interval; p < 0.001 after Holm), better on 10 of 10 topics."
    )


def test_over_the_whole_crawl():
    ends = [[0.4, 0.5 + 0.01 * (-1) ** n] for n in range(10)]
    assert "than Full page on average over 100 pages (" in message(flat(ends), at="area")


def test_while_it_runs_it_states_only_how_far_it_is():
    ends = spread(8, 0.1)
    ends[0][1] = None
    assert message(with_state(flat(ends), "running")) == (
        "15 of 16 cells have finished. Differences are tested once, when the last cell has ended; "
        "until then there are only means."
    )


def test_too_few_topics_state_how_many_are_wanted():
    assert message(flat([[0.40, 0.5], [0.44, 0.6], [0.42, 0.55]])) == (
        "3 topics are too few for a test. The best mean of target recall at 100 pages is "
        "Apprentice’s, 55.0 %, that of Full page 42.0 %. At least 6 topics are wanted."
    )
    assert message(flat([[0.4, 0.3]])) == (
        "1 topic is too few for a test. The best mean of target recall at 100 pages is "
        "Full page’s, 40.0 %. At least 6 topics are wanted."
    )


def test_means_written_alike_are_all_the_best():
    # The table beside the sentence writes 23.8 % for two of them.
    assert "at 100 pages is 23.8 %, of Full page and Breadth-first alike. At" in message(
        flat([[0.2384, 0.1, 0.2381]])
    )
    assert "is 23.8 %, of Apprentice and Breadth-first alike, that of Full page 10.0 %." in message(
        flat([[0.1, 0.2384, 0.2381]])
    )


def test_means_of_few_topics_are_those_of_the_topics_that_all_have():
    # The second crawler failed where the topic is hard, so its own mean is the higher one.
    results = with_state(flat([[1.0, 0.9], [0.2, None]]), "finished")
    assert message(results) == (
        "At most 1 of 2 topics has values of both crawlers compared: too few for a test. The best "
        "mean of target recall at 100 pages over the topic that all have is Full page’s, 100.0 %. "
        "At least 6 topics are wanted."
    )
    (limit, _) = answer(results, choose(results)).limits
    assert message(results).startswith(limit.why)
    results = with_state(flat([[0.5, 0.6, None], [0.5, 0.6, nan], [0.4, None, 0.9]]), "finished")
    assert "No topic has a value of every crawler" in message(results)


def test_a_crawler_with_too_few_topics_is_left_out_of_the_conclusion():
    ends = spread(8, 0.1, 0.2)
    for row in ends[3:]:
        row[2] = None
    results = with_state(flat(ends), "finished")
    assert message(results).startswith("Apprentice found ")
    assert "Breadth-first" not in plain(answer(results, choose(results)).verdict.more)


def test_without_values_or_others_nothing_is_reported_of_which_is_better():
    assert message(flat(spread(8, 0.1)), measure="average_status") == (
        "No crawl has a value of average status at 100 pages."
    )
    assert message(flat([[0.4]] * 8)) == (
        "One crawler alone is compared with nothing. Add another one."
    )
    results = with_state(flat([[0.4, None], [nan, 0.5]]), "finished")
    assert message(results) == (
        "No topic has a value of Full page and of another crawler: nothing is compared."
    )


def test_equal_differences_are_not_tested():
    assert message(flat([[0.1 * n, 0.1 * n + 0.125] for n in range(1, 8)])).startswith(
        "No test can be made: every topic differs by the same amount. The best mean "
    )


def test_nothing_has_finished():
    results = with_state(flat([[None, None]] * 3, budget=100), "stopped")
    assert message(results) == "No crawl has a value of target recall at 100 pages."


def test_a_rate_at_unequal_lengths_is_never_a_number_of_pages():
    """Crawlers of 150 pages on eight topics, of which one ends early on six: its rate at the end is
    higher, its relevant pages are fewer, and at equal pages it is as good."""
    lengths = [26, 40, 52, 64, 80, 106, 150, 150]
    whole = {(topic, 0): {HARVEST: [0.95] * 53 + [0.55] * 22} for topic in range(8)}
    short = {
        (topic, 1): {HARVEST: ([0.95] * 53 + [0.55] * 22)[: length // 2]}
        for topic, length in enumerate(lengths)
    }
    relevant = [
        sum(2 * len(cell[HARVEST]) * cell[HARVEST][-1] for cell in cells.values())
        for cells in (whole, short)
    ]
    assert relevant[0] > 1.2 * relevant[1]
    crawlers = ("full_page", "selective_link_context")
    results = made(crawlers, "abcdefgh", whole | short, every=2, measure=HARVEST)
    ended = answer(with_state(results, "finished"), choose(results, at="150"))
    assert ended.rows[1].value.mean > ended.rows[0].value.mean + 0.25
    assert (ended.rows[1].test.difference, ended.rows[1].test.earlier) == (0, 6)
    sentence = ended.verdict.sentence
    assert "relevant pages" not in sentence and "more" not in sentence
    assert "6 crawls ended before page 150: Selective link context 6." in ended.notes[0]
    assert "compared with the baseline at equal pages" in ended.notes[0]
    assert ended.notes[1] == (
        "Pages fetched in all: Full page 1,200 and Selective link context 668."
    )

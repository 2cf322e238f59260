"""The section on starts from little: known answers."""

from __future__ import annotations

from pathlib import Path

from apps.research.effectiveness.starts.result import StartResult, StartShares
from apps.research.effectiveness.starts.section import starts_section
from apps.research.effectiveness.starts.study import BREADTH_FIRST, BY_WORDS, EXAMPLES


def made(web: str, **recalls: tuple[float, float]) -> StartResult:
    names = {"blind": BREADTH_FIRST, "words": BY_WORDS, "examples": EXAMPLES}
    result = StartResult(web=web, command=f"run {web}", pages=500, topics=("a", "b"))
    for name, recall in recalls.items():
        precision = (0.5, 0.7) if name == "words" else ()
        shares = StartShares(recall=recall, precision=precision)
        result = result.with_crawler("A", names[name], shares)
    return result


def test_shares_are_geometric_means_over_all_topics() -> None:
    # Times breadth-first: 2, 8 and 4, 1: the fourth root of 64. Of the examples: all a half.
    text = starts_section(
        [
            made("dune", blind=(0.1, 0.1), words=(0.2, 0.8), examples=(0.4, 1.6)),
            made("marsh", blind=(0.1, 0.4), words=(0.4, 0.4), examples=(0.8, 0.8)),
        ]
    )
    shares = f"{64**0.25:.2f} (better on 3, worse on 0 of 4) | 0.50 (better on 0, worse on 4 of 4)"
    assert f"| {BY_WORDS} | {shares} |" in text
    assert f"| {BY_WORDS} | 0.500 (0.60) | 0.400 (0.60) |" in text
    assert "run dune --save docs/effectiveness" in text


def test_a_topic_of_which_nothing_was_reached_counts_a_hundredth() -> None:
    text = starts_section([made("dune", blind=(0.0, 0.01), words=(0.04, 0.01))])
    assert f"| {BY_WORDS} | 2.00 (better on 1, worse on 0 of 2) | – |" in text


def test_webkb_stands_by_itself() -> None:
    dune, webkb = (
        made(web, blind=(0.1, 0.1), words=words, examples=(0.4, 0.4))
        for web, words in (("dune", (0.2, 0.2)), ("webkb", (0.4, 0.4)))
    )
    text = starts_section([dune, webkb])
    assert "webkb stands by itself" in text
    assert f"| {BY_WORDS} | 2.00 (better on 2, worse on 0 of 2) |" in text
    assert "stands by itself" not in starts_section([dune])


def test_what_was_not_run_has_no_number_and_nothing_has_no_section() -> None:
    assert starts_section([]) == ""
    assert f"| {EXAMPLES} | – |" in starts_section([made("dune", words=(0.2, 0.2))])


def test_a_result_is_read_as_it_was_saved(tmp_path: Path) -> None:
    result = made("dune", blind=(0.0, 0.01), words=(0.04, 0.01))
    result.save(tmp_path)
    assert StartResult.read_all(tmp_path) == [result]

"""Which pages are proposed for labelling: known answers."""

from __future__ import annotations

import math

import pytest

from apps.engine.crawl.relearning.proposing import Candidate, propose, spread


def test_the_worth_of_a_label_is_the_chance_times_the_logarithm_of_its_links() -> None:
    assert Candidate(1, 0.5, math.e - 1).worth == pytest.approx(0.5)  # type: ignore[arg-type]


def test_likely_pages_with_many_waiting_links_come_first() -> None:
    many, sure, unsure, few = (
        Candidate(1, 0.9, 50),
        Candidate(2, 1.0, 5),
        Candidate(3, 0.5, 50),
        Candidate(4, 0.5, 1),
    )
    assert propose([few, unsure, sure, many], 3) == [many, unsure, sure]


def test_a_page_without_waiting_links_is_never_proposed_and_equals_come_by_age() -> None:
    first, second = Candidate(3, 0.6, 7), Candidate(9, 0.6, 7)
    assert propose([second, Candidate(1, 1.0, 0), first], 5) == [first, second]
    assert propose([], 5) == []


def test_a_spread_draws_evenly_from_the_upper_half_by_chance() -> None:
    ranked = [Candidate(page, 1 - page / 100, 3) for page in range(1, 21)]
    chosen = spread([*ranked, Candidate(50, 1.0, 0)], 4)
    assert [each.page for each in chosen] == [1, 4, 7, 10]
    assert [each.page for each in spread(ranked[:3], 4)] == [1, 2, 3]
    assert spread([], 4) == []

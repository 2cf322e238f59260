"""The parts of a score: bars and a sentence with known answers."""

from __future__ import annotations

import math

import pytest

from apps.crawls.explaining.link_score import Explanation
from apps.crawls.explaining.parts import added, parts, sentence
from apps.engine.intelligence.strategies.terms import TERMS
from apps.engine.intelligence.strategies.weighted_evidence import EVIDENCE


def explanation(terms: dict[str, float], adds_up: bool = False) -> Explanation:
    return Explanation(
        formula="f",
        terms=terms,
        legend=EVIDENCE if adds_up else TERMS,
        score=None,
        sums_to="a chance" if adds_up else "",
        ranks_urls=adds_up,
        reads_words=True,
        words=(),
        scale=1.0,
    )


def test_parts_that_add_up_stand_on_both_sides_of_zero() -> None:
    split = parts(explanation({"start": -1.0, "page": 3.0, "place": 0.0}, adds_up=True), {})
    assert split.sum == 2.0 and split.zero == 0.25
    assert split.chance == pytest.approx(1 / (1 + math.exp(-2)))
    assert [(part.left, part.width) for part in split.rows] == [(0, 0.25), (0.25, 0.75), (0.25, 0)]
    assert [part.against for part in split.rows] == [True, False, False]


def test_what_is_known_of_a_link_stands_instead_of_what_a_part_is() -> None:
    split = parts(explanation({"siblings": 1.0, "page": 1.0}, adds_up=True), {"siblings": "2 of 3"})
    assert [part.text for part in split.rows] == ["2 of 3", EVIDENCE["page"].says]


def test_shares_are_drawn_and_settings_are_not() -> None:
    split = parts(explanation({"P(c|u)": 0.8, "β": 0.5, "own": 0.25, "odd": -2.0}), {})
    assert split.sum is None and split.chance is None
    assert [part.width for part in split.rows] == [0.8, None, 0.25, None]
    assert [part.figures for part in split.rows] == ["0.80", "0.50", "0.25", "−2.00"]


def test_the_sentence_names_the_strongest_parts_for_and_against() -> None:
    terms = {"start": -3.4, "page": 1.0, "window": 1.6, "anchor": 0.9, "place": -0.2}
    terms["parents"] = 0.01
    message = explanation(terms, adds_up=True)
    assert sentence(message, parts(message, {}), 0.5, waits=False) == (
        "The words around its links (+1.6), then the words of the pages that link to it (+1.0) and"
        " the words in its links (+0.9) counted most for it; the pages fetched from its host and"
        " folder (−0.2) counted against it. Any link of this crawl starts with −3.4; all together"
        " give a chance of 0.48."
    )


def test_a_waiting_link_of_which_nothing_is_known() -> None:
    message = explanation({"start": -1.0, "page": 0.0}, adds_up=True)
    assert sentence(message, parts(message, {}), 0.3, waits=True) == (
        "When it was last ranked, nothing counted for or against it."
        " Any link of this crawl starts with"
        " −1.0; all together give a chance of 0.27."
    )


def test_the_sentence_of_a_mixture_names_its_shares() -> None:
    message = explanation({"P(c|u)": 0.8, "β": 0.25, "P(c|window)": 0.6})
    assert sentence(message, parts(message, {}), 0.65, waits=True) == (
        "Its priority is 0.650, by the chance that the page with the link is on the topic (0.80)"
        " and that of the words around the link (0.60)."
    )
    assert sentence(message, parts(message, {}), None, waits=True) == ""


def test_figures_have_a_sign() -> None:
    assert [added(value) for value in (0.84, -3.36, 0.01)] == ["+0.8", "−3.4", "±0.0"]

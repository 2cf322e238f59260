"""How well pages fit words and answers."""

from __future__ import annotations

from apps.begin.fitting import Fitting, PageTerms, Wish, learned_terms

WISH = Wish("heat pumps", ["heat pump"], ["shop"], ["en"])
OTHER = {f"word{i}": 1 for i in range(80)}
SCHOOL = PageTerms({"heat": 1, "pumps": 1, "school": 2, **OTHER}, "en")
SHOP = PageTerms({"heat": 1, "pumps": 1, "shops": 2, **OTHER}, "en")
MOON = PageTerms({"moon": 3, "orbit": 1}, "en")


def test_words_count_for_whatever_their_form_and_rather_not_against() -> None:
    fitting = Fitting.of(WISH, [], [])
    assert fitting.chance(SCHOOL) > fitting.chance(SHOP) > fitting.chance(MOON)
    assert fitting.chance(MOON) < 0.35 < 0.6 < fitting.chance(SCHOOL)


def test_answers_move_the_words_beside_those_given() -> None:
    assert Fitting.of(WISH, [SCHOOL], []).learned == {}
    fitting = Fitting.of(WISH, [SCHOOL], [SHOP])
    moved = dict(learned_terms(fitting, [SCHOOL, SHOP]))
    assert moved["school"] > 0
    assert "heat" not in moved
    assert fitting.chance(PageTerms({"school": 1}, "en")) > Fitting.of(WISH, [], []).chance(
        PageTerms({"school": 1}, "en")
    )


def page_of(seed: int, *terms: str) -> PageTerms:
    return PageTerms({**OTHER, **dict.fromkeys(terms, 2), f"own{seed}": 1}, "en")


def test_no_chance_is_surer_than_the_answers_allow() -> None:
    sure = PageTerms({"heat": 2, "pump": 2}, "en")
    assert Fitting.of(WISH, [], []).chance(sure) == 1 - 1 / 12
    yes = [page_of(i, "heat", "pump") for i in range(8)]
    assert 1 - 1 / 12 < Fitting.of(WISH, yes, []).chance(sure) <= 1 - 1 / 20


def test_pages_that_are_equally_sure_are_ranked_all_the_same() -> None:
    fitting = Fitting.of(WISH, [], [])
    better, good = (PageTerms(terms, "en") for terms in ({"heat": 2, "pump": 2}, {"heat": 1}))
    assert fitting.chance(better) == fitting.chance(good)
    assert fitting.log_odds(better) > fitting.log_odds(good)


def test_noes_among_pages_with_all_the_words_lower_their_chance() -> None:
    yes = [page_of(i, "heat", "pump") for i in range(4)]
    no = [page_of(10 + i, "heat", "pump") for i in range(4)]
    before = Fitting.of(WISH, yes, []).chance(page_of(99, "heat", "pump"))
    after = Fitting.of(WISH, yes, no).chance(page_of(99, "heat", "pump"))
    assert after < 0.7 < before

"""What a sentence asks for, and what it excludes."""

from __future__ import annotations

import pytest

from apps.begin.sentences import excluded_phrases, proposed_name, wanted_part

HEAT = "Heat pumps in public buildings: schools, town halls. Not private homes, not shops that sell"


@pytest.mark.parametrize(
    ("sentence", "excluded"),
    [
        (HEAT, ("private homes", "shops")),
        ("Wärmepumpen, aber nicht Einfamilienhaus oder Werbung.", ("Einfamilienhaus", "Werbung")),
        ("Bread without yeast", ("yeast",)),
        ("Knots and notes", ()),
    ],
)
def test_it_lists_what_is_excluded(sentence: str, excluded: tuple[str, ...]) -> None:
    assert excluded_phrases(sentence) == excluded


def test_what_is_excluded_is_not_wanted() -> None:
    assert "private" not in wanted_part(HEAT)
    assert "schools" in wanted_part(HEAT)


def test_a_name_is_the_first_clause_or_the_words_or_the_host() -> None:
    assert proposed_name(HEAT, [], []) == "Heat pumps in public buildings"
    assert proposed_name("", ["kelp", "seagrass"], []) == "Kelp, seagrass"
    assert proposed_name("", [], ["a.example"]) == "A.example"

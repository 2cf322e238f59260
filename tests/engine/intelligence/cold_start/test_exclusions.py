"""What is excluded by a sentence is no word that is sought."""

from __future__ import annotations

import pytest

from apps.engine.intelligence.cold_start.exclusions import wanted_part


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("Bread made of rye. Not cakes, not shops.", "Bread made of rye. ."),
        ("Wärmepumpen in Schulen, ohne Werbung", "Wärmepumpen in Schulen,"),
        ("Planets but not moons; rings too", "Planets ; rings too"),
        (
            "Nothing is excluded of notes and nordic walks",
            "Nothing is excluded of notes and nordic walks",
        ),
    ],
)
def test_the_wanted_part_is_without_what_is_excluded(sentence: str, wanted: str) -> None:
    assert wanted_part(sentence) == wanted

"""The part of a page that decided."""

from __future__ import annotations

from apps.begin.excerpts import LENGTH, excerpt
from apps.begin.fitting import Fitting, Wish


def test_the_window_with_the_words_is_shown_and_they_are_marked() -> None:
    text = "nothing here matters at all " * 20 + "a Heat pump runs"
    fitting = Fitting.of(Wish("heat pump", [], [], ["en"]), [], [])
    pieces = excerpt(text, fitting, "en")
    assert [piece.text for piece in pieces if piece.marked] == ["Heat", "pump"]
    assert len("".join(piece.text for piece in pieces).split()) == LENGTH
    assert excerpt("", fitting, "en") == []

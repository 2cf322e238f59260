"""Snippets mark what a search looks for."""

from __future__ import annotations

from apps.search.query import read_query
from apps.stored_pages.snippets import Snippets


def marked(words: str, text: str) -> str:
    return Snippets(read_query(words), "en").marked(text)


def test_words_are_marked_only_where_they_are_near() -> None:
    text = "Pump first. The heat of a pump; then a long way off, again heat."
    assert marked("heat NEAR/2 pumps", text) == (
        "<mark>Pump</mark> first. The <mark>heat</mark> of a <mark>pump</mark>;"
        " then a long way off, again heat."
    )
    assert "<mark>" not in marked("heat NEAR/1 first", "heat one two first")


def test_a_phrase_and_a_beginning_are_marked_whole() -> None:
    assert marked('"heat pump"', "A heat pump, a pump.") == (
        "A <mark>heat</mark> <mark>pump</mark>, a pump."
    )
    assert marked("heat*", "heater <b>") == "<mark>heater</mark> &lt;b&gt;"

"""The terms of a text are its words without stop words and numbers, as stems where asked."""

from __future__ import annotations

from apps.collection.vectors.terms import terms_of, terms_of_query


def test_stop_words_of_the_language_and_numbers_do_not_count() -> None:
    assert terms_of("The bakers of 1999 and a Loaf", "en") == ["bakers", "loaf"]
    assert terms_of("die Bäcker und das Brot", "de") == ["bäcker", "brot"]


def test_words_are_stemmed_in_the_languages_that_are_asked_for() -> None:
    assert terms_of("Bakers baking", "en", ["en"]) == ["baker", "bake"]
    assert terms_of("Bakers baking", "en", ["de"]) == ["bakers", "baking"]


def test_typed_words_may_be_of_any_language_and_count_once() -> None:
    assert terms_of_query("the baking baking", ["de", "en"]) == ["baking", "bake"]

from __future__ import annotations

from apps.engine.representation.language_detection import detect_language, detect_languages

GERMAN = "die wiesen unter dem wasser sind für die fische der bucht sehr wichtig und schön".split()
ENGLISH = "the meadows under the water are important for all of the fish that live in it".split()


def test_it_detects_the_language_of_the_examples():
    assert detect_language([GERMAN, GERMAN]) == "de"
    assert detect_language([ENGLISH, ENGLISH, GERMAN]) == "en"


def test_it_detects_no_language_in_names_and_in_nothing():
    assert detect_language([["zostera", "marina", "posidonia", "halophila"]]) is None
    assert detect_language([]) is None


def test_it_detects_several_languages_if_a_fifth_of_the_texts_is_in_each():
    assert detect_languages([ENGLISH] * 4 + [GERMAN]) == "en de"
    assert detect_languages([ENGLISH] * 5 + [GERMAN]) == "en"
    assert detect_languages([["zostera"]]) is None and detect_languages([]) is None

"""The languages of a text, with their shares."""

from __future__ import annotations

from apps.engine.parsing.languages import languages

GERMAN = (
    "Die Stadt heizt ihr Rathaus seit Oktober mit zwei Wärmepumpen, die den alten Kessel ersetzen."
)
ENGLISH = (
    "The council heats the school with two heat pumps, which replace the old boiler in the yard."
)


def test_a_text_has_one_language() -> None:
    assert languages([GERMAN] * 3) == (("de", 1.0),)
    assert languages([ENGLISH]) == (("en", 1.0),)


def test_a_mixed_text_has_shares_the_largest_first() -> None:
    (first, most), (second, least) = languages([GERMAN] * 9 + [ENGLISH] * 6)
    assert (first, second) == ("de", "en")
    assert 0.5 < most < 0.7 and round(most + least, 2) == 1


def test_a_sentence_in_another_language_is_a_quotation() -> None:
    assert languages([GERMAN] * 12 + [ENGLISH]) == (("de", 1.0),)


def test_a_few_letters_have_no_language() -> None:
    assert languages(["3.14"]) == languages([]) == languages(["Kontakt"]) == ()


def test_a_long_paragraph_in_each_of_two_languages_are_two_shares() -> None:
    (first, most), (second, least) = languages([" ".join([GERMAN] * 5), " ".join([ENGLISH] * 5)])
    assert {first, second} == {"de", "en"} and most == least == 0.5
    assert languages([" ".join([GERMAN] * 5)]) == (("de", 1.0),)

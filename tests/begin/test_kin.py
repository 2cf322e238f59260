"""Kin of a word: forms of it, and words beside it."""

from __future__ import annotations

from apps.begin.kin import kin_of

FILL = "some other things happen quietly in many towns while people walk slowly home " * 3
PAGE = f"The pump drilled boreholes deeply. {FILL} A pump needs boreholes again. {FILL}"


def test_words_that_stand_beside_it_on_several_pages_are_kin() -> None:
    assert kin_of("pump", [(PAGE, "en"), (PAGE, "en")], [])[0] == "boreholes"


def test_one_page_is_not_enough_and_what_was_removed_stays_away() -> None:
    assert "boreholes" not in kin_of("pump", [(PAGE, "en")], [])
    assert "boreholes" not in kin_of("pump", [(PAGE, "en"), (PAGE, "en")], ["boreholes"])


def test_compounds_with_the_word_come_first() -> None:
    page = "Die Wärmepumpe und Wärmepumpenanlage im Rathaus"
    assert kin_of("wärmepumpe", [(page, "de")], []) == ["wärmepumpenanlage"]

"""Words: what a word is, in which script, and where it stands."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.numbered_words import NumberedWords
from apps.engine.parsing.words import (
    joined_words,
    page_words,
    word_spans,
    words,
    words_and_spans,
    words_of_each,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" ,.-! ", []),
        ("Hello, World!", ["hello", "world"]),
        ("snake_case don't 3.14 x1", ["snake", "case", "don", "t", "3", "14", "x1"]),
        ("Été à Genève", ["été", "à", "genève"]),
        ("ΟΔΟΣ и Ёлка", ["οδος", "и", "ёлка"]),
        ("e\u0301te\u0301 x", ["e\u0301te\u0301", "x"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("東京都", ["東京", "京都"]),
        ("東 京", ["東", "京"]),
        ("カレーとrice30グラム", ["カレ", "レー", "ーと", "rice30", "グラ", "ラム"]),
        ("ภาษา ok", ["ภา", "าษ", "ษา", "ok"]),
        ("한국어 문서", ["한국어", "문서"]),
        ("\U00020000\U00020001\U00020002", ["\U00020000\U00020001", "\U00020001\U00020002"]),
    ],
)
def test_it_cuts_text_into_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text() | st.text(alphabet="aB1_ é-\u0301東京カร\u0e31\n\U0001d400\U00020000\ud800"))
def test_spans_stand_where_the_words_are(text: str) -> None:
    cut, starts, ends = words_and_spans(text)
    assert cut == words(text)
    assert [text[a:b].lower() for a, b in zip(starts, ends, strict=True)] == words(text)


@given(st.text(st.characters(max_codepoint=0x2FF)) | st.text(st.characters(codec="cp1252")))
def test_words_are_runs_of_word_characters(text: str) -> None:
    assert words(text) == [word.lower() for word in re.findall(r"[^\W_]+", text)]


@given(st.text(), st.text())
def test_a_space_keeps_words_apart(one: str, other: str) -> None:
    assert words(f"{one} {other}") == words(one) + words(other)


@given(st.lists(st.text() | st.text(alphabet="aB é東京カร\n")))
def test_texts_are_read_together_as_one_by_one(texts: list[str]) -> None:
    split, counts = words_of_each(texts)
    assert counts == [len(words(text)) for text in texts]
    assert split == [word for text in texts for word in words(text)]


UNSPACED = re.compile(
    "[\\u3005\\u3007\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff"
    "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u0e01-\\u0e3a\\u0e40-\\u0e4e]"
)


def words_by_hand(text: str) -> list[str]:
    """One character after another, as the module's description says."""
    cut: list[str] = []
    run = ""
    for character in f"{text} ":
        if run and kind_by_hand(run[0]) != kind_by_hand(character):
            cut += pieces_by_hand(run)
            run = ""
        if kind_by_hand(character) != "between":
            run += character
    return cut


def kind_by_hand(character: str) -> str:
    if UNSPACED.fullmatch(character):
        return "unspaced"
    if character.isalnum():
        return "unspaced" if ord(character) >= 0x20000 else "letter"
    return "letter" if unicodedata.category(character) in ("Mn", "Mc") else "between"


def pieces_by_hand(run: str) -> list[str]:
    if kind_by_hand(run[0]) == "letter" or len(run) == 1:
        return [run.lower()]
    return [run[i : i + 2].lower() for i in range(len(run) - 1)]


SCRIPTS = (
    "aßİKǅΑΣσςЖжԱابت٣कि東京都カレーภาษ\u0e31한ё\u0301\U0001d400\U00020000\ud800 ._\n\x1f\x85\u2003"
)


@given(st.text() | st.text(alphabet=SCRIPTS))
def test_words_of_every_script_are_those_cut_by_hand(text: str) -> None:
    assert words(text) == words_by_hand(text)


@given(st.text(alphabet="19²٣४𝟗 aé\u0301東カ〇_"))
def test_numbers_are_the_words_of_digits_only(text: str) -> None:
    assert page_words(text).numbers == sum(map(str.isdigit, words(text)))


@given(st.text() | st.text(alphabet=SCRIPTS) | st.text(alphabet="a1 é東京カร\U00020000"))
def test_the_words_of_a_page_are_those_of_its_text(text: str) -> None:
    page = page_words(text)
    cut, starts, ends = words_and_spans(text)
    assert [*page.words] == cut
    assert page.starts.tolist() == starts.tolist()
    assert [each.tolist() for each in word_spans(text)] == [starts.tolist(), ends.tolist()]


def test_bigrams_of_a_page_are_numbers_of_a_lexicon() -> None:
    assert page_words("east west").words == ["east", "west"]
    page = page_words("東京都 is 東京").words
    assert isinstance(page, NumberedWords)
    assert page.ids[0] == page.ids[-1] and [*page] == ["東京", "京都", "is", "東京"]


@given(st.text(alphabet="a東京カ "), st.lists(st.sampled_from(["東京", "都", "a", "b"])))
def test_more_words_follow_those_of_a_page(text: str, more: list[str]) -> None:
    assert [*joined_words(page_words(text).words, more)] == [*words(text), *more]

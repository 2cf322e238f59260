"""Words: what a word is, in which script, and where it stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.parsing.words import words, words_and_spans


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

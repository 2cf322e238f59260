from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.parsing import bigrams
from apps.engine.parsing.bigrams import BigramLexicon, bigram_lexicon
from apps.engine.parsing.words import page_words, words

HAN = "".join(map(chr, range(0x4E00, 0x4E00 + 300)))
BIGRAM = st.sampled_from("漢字東京𠀀").flatmap(lambda one: st.sampled_from([one, one + "都"]))


def numbers_of(lexicon: BigramLexicon, words: list[str]) -> list[int]:
    first = np.array([ord(word[0]) for word in words], np.uint32)
    second = np.array([ord(word[1:] or "\0") for word in words], np.uint32)
    return lexicon.numbers_of_bigrams(first, second).tolist()


@given(st.lists(st.lists(BIGRAM)))
def test_each_bigram_has_the_number_of_its_word(texts: list[list[str]]) -> None:
    lexicon = BigramLexicon()
    for text in texts:
        assert [lexicon[number] for number in numbers_of(lexicon, text)] == text
    assert len(lexicon) == len({word for text in texts for word in text})


def test_bigrams_that_fall_into_one_slot_are_distinguished(monkeypatch) -> None:
    monkeypatch.setattr(bigrams, "_FACTOR", np.uint64(0))  # the hash of each is 0
    lexicon, pairs = BigramLexicon(), ["".join(pair) for pair in product(HAN[:20], repeat=2)]
    for _ in range(2):
        assert [lexicon[number] for number in numbers_of(lexicon, pairs)] == pairs
    assert len(lexicon) == len(pairs)


def test_a_word_keeps_its_number() -> None:
    lexicon = BigramLexicon()
    first = lexicon.numbers_of(["rice", "tea", "rice"]).tolist()
    assert first == [0, 1, 0]
    assert numbers_of(lexicon, ["漢字"]) == [2]
    assert lexicon.numbers_of(["tea", "milk"]).tolist() == [1, 3]


def test_the_words_of_a_lexicon_are_those_of_any_list() -> None:
    lexicon = BigramLexicon()
    lexicon.numbers_of(["rice", "tea"])
    numbers_of(lexicon, ["漢字", "字", "𠀀都"])
    lexicon.numbers_of(["東"])
    assert [*lexicon] == [lexicon[i] for i in range(6)]
    assert sorted(lexicon) == sorted(["rice", "tea", "漢字", "字", "𠀀都", "東"])
    assert lexicon[-1] == "東" and lexicon[1:3][0] == "tea"
    with pytest.raises(IndexError):
        lexicon[6]
    assert lexicon.words_at(np.array([0, 5, 0], np.int32)) == ["rice", "東", "rice"]


def test_a_new_lexicon_begins_when_there_are_too_many_words(monkeypatch) -> None:
    monkeypatch.setattr(bigrams, "MOST_WORDS", 100)
    pages = [page_words(HAN[n : n + 60]).words for n in range(0, 240, 60)]
    assert len({id(page.lexicon) for page in pages}) > 1
    assert [[*page] for page in pages] == [words(HAN[n : n + 60]) for n in range(0, 240, 60)]
    assert len(bigram_lexicon()) <= 100 + 60


def test_a_text_that_could_fill_the_slots_is_cut_into_strings(monkeypatch) -> None:
    monkeypatch.setattr("apps.engine.parsing.words.LONGEST", 10)
    assert page_words(HAN[:11]).words == words(HAN[:11])
    assert not isinstance(page_words(HAN[:10]).words, list)

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.numbered_words import Lexicon, NumberedWords
from apps.engine.representation.tokens import Vocabulary

LEXICON = Lexicon(["the", "meadows", "meadow", "1997", "x", "water", "waters", "grösse"])
TEXTS = st.lists(st.lists(st.integers(0, len(LEXICON) - 1), max_size=12), max_size=5)


def words(numbers: list[int]) -> NumberedWords:
    return NumberedWords(np.array(numbers, np.int32), LEXICON)


def test_it_is_a_sequence_of_words():
    text = words([1, 5, 0])
    assert (len(text), text[1], list(text), list(text[1:])) == (
        3,
        "water",
        ["meadows", "water", "the"],
        ["water", "the"],
    )
    assert isinstance(text[1:], NumberedWords) and "the" in text


@given(TEXTS)
def test_a_vocabulary_gives_its_words_the_ids_of_plain_ones(texts):
    one, other = Vocabulary("en"), Vocabulary("en")
    for text in texts:
        assert one.encode(words(text)).tolist() == other.encode([*words(text)]).tolist()
        one = one.copy()
    assert one.entries() == other.entries()


def test_words_that_become_stop_words_lose_their_ids():
    vocabulary = Vocabulary("en")
    ids = vocabulary.encode(words([1, 5]))
    vocabulary.stop(ids[:1])
    assert vocabulary.encode(words([1, 2, 5])).tolist() == [-1, -1, ids[1]]
    restored = Vocabulary("en")
    restored.encode(words([5]))
    restored.restore(["water", "meadow"])
    assert restored.encode(words([1, 5])).tolist() == [1, 0]

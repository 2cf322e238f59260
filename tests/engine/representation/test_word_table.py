from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.representation.word_table import FEWEST_SLOTS, WordTable

WORDS = st.lists(st.text(alphabet="ab1é漢𠀀", max_size=4), max_size=200)


class Clashing(str):
    """A word with the hash of all others."""

    def __hash__(self) -> int:
        return 7


@given(WORDS)
def test_it_numbers_words_as_a_dictionary_does(words):
    table, numbers = WordTable(), {}
    for word in words:
        assert table.append(word) == numbers.setdefault(word, len(numbers))
    assert list(table) == list(numbers)
    assert [table.number(word) for word in numbers] == list(numbers.values())
    assert table.number("never") is None


@given(st.lists(WORDS))
def test_words_are_numbered_together_as_one_by_one(texts):
    together, one_by_one = WordTable(), WordTable()
    for text in texts:
        assert together.append_all(text).tolist() == [one_by_one.append(word) for word in text]
    assert list(together) == list(one_by_one)
    assert all(together.number(word) == n for n, word in enumerate(one_by_one))


def test_words_together_grow_beyond_the_slots():
    words, table = [f"word{n}" for n in range(5 * FEWEST_SLOTS)], WordTable(["word7"])
    assert table.append_all(words).tolist() == [*range(1, 8), 0, *range(8, len(words))]
    assert table.append_all(words[:9]).tolist() == [*range(1, 8), 0, 8]
    assert table.append("word7") == 0 and table.append("more") == len(words)


def test_words_of_one_hash_are_distinguished_together():
    words = [Clashing(n) for n in range(300)]
    table = WordTable()
    assert table.append_all(words).tolist() == table.append_all(words).tolist() == [*range(300)]


@given(WORDS, WORDS)
def test_a_table_of_its_state_goes_on_as_it_does(before, after):
    table = WordTable(before)
    again = WordTable.of_state(table.state())
    assert [again.append(word) for word in after] == [table.append(word) for word in after]
    assert list(again) == list(table)
    assert [again.number(word) for word in (*before, *after)] == [
        table.number(word) for word in (*before, *after)
    ]


def test_it_grows_beyond_its_first_slots():
    words = [f"word{n}" for n in range(5 * FEWEST_SLOTS)]
    table = WordTable(words)
    assert [table.number(word) for word in words] == list(range(len(words)))
    assert table.number("word") is None and list(table) == words


def test_words_of_one_hash_are_distinguished():
    words = [Clashing(n) for n in range(2 * FEWEST_SLOTS)]
    table = WordTable(words)
    assert [table.number(word) for word in words[::50]] == list(range(len(words)))[::50]


@given(WORDS, WORDS, WORDS)
def test_a_copy_goes_its_own_way(before, here, there):
    table = WordTable(before)
    copied = table.copy()
    for word in here:
        table.append(word)
    for word in there:
        copied.append(word)
    assert list(copied) == list(dict.fromkeys([*before, *there]))
    assert list(table) == list(dict.fromkeys([*before, *here]))


def test_a_word_takes_its_letters_and_few_bytes_more():
    letters = range(ord("一"), ord("一") + 300)
    tracemalloc.start()
    try:
        table = WordTable(chr(a) + chr(b) for a in letters for b in letters)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(table) == 90_000
    assert taken / len(table) < 6 + 22

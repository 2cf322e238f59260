from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.replays.strings import Strings, string_columns

TEXTS = st.lists(st.text(st.characters(), max_size=9))


@given(TEXTS)
def test_strings_are_read_as_they_were_written(texts):
    table = Strings(*string_columns(texts))
    assert len(table) == len(texts)
    assert [table[i] for i in range(len(texts))] == texts == list(table) == table[:]
    assert table.several(np.arange(len(texts))) == tuple(texts)


def test_even_halves_of_characters_survive():
    assert list(Strings(*string_columns(["\ud800", "é", ""]))) == ["\ud800", "é", ""]

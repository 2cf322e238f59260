"""Value types: the token rows of link contexts, against the slow way to collect them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.model import NO_TOKEN, Spans, TokenRows

WORDS = 12
TOKENS = st.lists(st.integers(NO_TOKEN, 5), min_size=WORDS, max_size=WORDS)
PIECES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, WORDS), st.integers(0, WORDS)), max_size=6
)


@given(TOKENS, PIECES)
def test_rows_have_the_tokens_of_their_pieces(
    tokens: list[int], pieces: list[tuple[int, int, int]]
) -> None:
    pieces = sorted((row, *sorted(ends)) for row, *ends in pieces)
    columns = np.array(pieces, np.int32).reshape(-1, 3).T
    rows = TokenRows.gather(np.array(tokens, np.int32), Spans(4, *columns))
    assert len(rows) == 4 and rows.ids.dtype == np.int32 and rows.indptr.dtype == np.int64
    for row in range(4):
        words = [tokens[i] for at, start, end in pieces if at == row for i in range(start, end)]
        assert rows.row(row).tolist() == [token for token in words if token != NO_TOKEN]

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apps.figures.downsampling import LIMIT, bucket_size, sample_points

VALUES = st.lists(st.one_of(st.just(math.nan), st.floats(0, 1)), min_size=1, max_size=400)


def slowly_kept(values: list[float], limit: int) -> list[int]:
    """Each bucket's first least and first largest known value, one after the other."""
    size = bucket_size(len(values), limit)
    if size == 1:
        return list(range(len(values)))
    chosen = {0, len(values) - 1}
    for start in range(0, len(values), size):
        defined = [
            i for i in range(start, min(start + size, len(values))) if not math.isnan(values[i])
        ]
        chosen |= (
            {min(defined, key=values.__getitem__), max(defined, key=values.__getitem__)}
            if (defined)
            else {start}
        )
    return sorted(chosen)


@given(VALUES, st.integers(8, 60))
def test_it_keeps_what_a_slow_reading_keeps(values: list[float], limit: int) -> None:
    assert sample_points(np.array(values), limit).tolist() == slowly_kept(values, limit)


@given(VALUES, st.integers(8, 60))
def test_it_keeps_to_the_limit_and_keeps_the_extremes(values: list[float], limit: int) -> None:
    chosen = sample_points(np.array(values), limit)
    defined = [value for value in values if not math.isnan(value)]
    assert len(chosen) <= limit
    assert chosen[0] == 0 and chosen[-1] == len(values) - 1
    if defined:
        drawn = [values[i] for i in chosen if not math.isnan(values[i])]
        assert (min(drawn), max(drawn)) == (min(defined), max(defined))


def test_it_draws_every_sample_up_to_the_limit() -> None:
    assert sample_points(np.arange(LIMIT, dtype=float)).tolist() == list(range(LIMIT))
    assert len(sample_points(np.arange(LIMIT + 1, dtype=float))) <= LIMIT


def test_finished_buckets_stay_while_the_curve_grows() -> None:
    values = np.sin(np.arange(3000) / 17)
    size = bucket_size(2000)
    assert size == bucket_size(2100)
    before, after = sample_points(values[:2000]).tolist(), sample_points(values[:2100]).tolist()
    finished = 2000 // size * size
    assert [i for i in before if i < finished] == [i for i in after if i < finished]

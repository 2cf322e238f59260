from __future__ import annotations

import numpy as np

from apps.engine.intelligence.columns import LEAST, UrlColumn
from apps.engine.intelligence.growing import Growing
from apps.engine.intelligence.triplets import Triplets


def test_a_column_gives_its_default_where_nothing_was_set():
    column = UrlColumn(-1.0)
    column.set(np.array([3, 5000]), np.array([0.5, 0.25]))
    assert column[np.array([5000, 0, 3, 9999])].tolist() == [0.25, -1.0, 0.5, -1.0]
    assert (column.one(3), column.one(10**6), column.one(-1)) == (0.5, -1.0, -1.0)
    assert len(column) == 5001


def test_a_restored_column_is_the_same_and_still_grows():
    column = UrlColumn()
    column.set(7, 0.5)
    again = UrlColumn()
    again.restore(column.array())
    assert again.array().tolist() == column.array().tolist()
    again.set(np.array([70_000]), 1.0)
    assert again.one(70_000) == 1.0 and again.one(7) == 0.5 and again.one(8) == 0.0
    assert column.one(70_000) == 0.0


def test_a_full_column_still_gives_its_default_beyond_its_end():
    column = UrlColumn(-1.0)
    column.set(LEAST - 1, 0.5)
    assert column[np.array([LEAST - 1, LEAST, 10**6])].tolist() == [0.5, -1.0, -1.0]
    again = UrlColumn(-1.0)
    again.restore(np.ones(2 * LEAST))
    assert again[np.array([2 * LEAST - 1, 2 * LEAST])].tolist() == [1.0, -1.0]


def test_a_column_bears_no_numbers_at_all():
    column = UrlColumn()
    none = np.empty(0, np.int64)
    column.set(none, 1.0)
    assert column[none].tolist() == [] and len(column) == 0


def test_a_growing_array_keeps_what_was_appended():
    growing = Growing(np.int32)
    for i in range(700):
        growing.extend([i, -i])
    growing.extend(5, 3)
    assert growing.array().tolist()[:4] == [0, 0, 1, -1]
    assert growing.array().tolist()[-4:] == [-699, 5, 5, 5]
    assert len(growing) == 1403


def test_triplets_come_back_as_they_were():
    triplets = Triplets()
    triplets.add(2, np.array([4, 5]), 1.0)
    triplets.add(np.array([0, 1]), np.array([9, 9]), np.array([0.5, 0.25]))
    again = Triplets()
    again.restore("x", triplets.state("x"))
    for part in (triplets, again):
        assert [column.tolist() for column in part.entries()] == [
            [2, 2, 0, 1],
            [4, 5, 9, 9],
            [1.0, 1.0, 0.5, 0.25],
        ]

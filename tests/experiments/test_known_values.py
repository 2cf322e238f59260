"""Unknown values become None."""

from __future__ import annotations

import numpy as np

from apps.experiments.known_values import known_values


def test_nan_becomes_none_and_nothing_else_does():
    assert known_values(np.array([0.0, np.nan, 1.5])) == [0.0, None, 1.5]
    assert known_values(np.array([])) == []

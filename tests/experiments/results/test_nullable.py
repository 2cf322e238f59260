"""Unknown values become None."""

from __future__ import annotations

import numpy as np

from apps.experiments.results.nullable import nullable


def test_nan_becomes_none_and_nothing_else_does():
    assert nullable(np.array([0.0, np.nan, 1.5])) == [0.0, None, 1.5]
    assert nullable(np.array([])) == []

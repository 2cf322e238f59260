from __future__ import annotations

import numpy as np
import pytest

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.precision_recall import PrecisionRecall, levels_of
from tests.experiments.made_outcomes import made, made_pages

# Ten relevant pages in the web; of the first two topics' crawls six pages each.
SHARES = {"virtual_web_recall": [0.1, 0.1, 0.2, 0.2, 0.3, 0.4]}
LABELS = {(0, 0): [1, 0, 1, 0, 1, 1], (1, 0): [0, 0, 0, 0, 0, 0]}
PAGES = {
    key: made_pages([f"http://made.test/{n}" for n in range(6)], label=labels)
    for key, labels in LABELS.items()
}
VALUES = {(0, 0): SHARES, (1, 0): {"virtual_web_recall": [0.0] * 6}}


def asked():
    return asked_of(made(("full_page",), values=VALUES, pages=PAGES, every=1, budget=10))


def test_precision_at_each_recall_by_hand() -> None:
    # Recall .1 at page 1 (1/1), .2 at page 3 (2/3), .3 at page 5 (3/5), .4 at page 6 (4/6); the
    # others are never reached: 4/6, the precision at the end. The other topic finds nothing: 0.
    levels = levels_of(asked().outcomes.cells[0, 0][0])
    assert [level.precision for level in levels] == pytest.approx([1, 2 / 3, 0.6, *[2 / 3] * 7])
    (curve,) = PrecisionRecall().figure(asked()).traces
    assert [*curve.y] == pytest.approx([0.5, 1 / 3, 0.3, *[1 / 3] * 7])
    assert curve.errors[0] == pytest.approx(0.5)


def test_from_there_on_the_best_precision_counts() -> None:
    (curve,) = PrecisionRecall().figure(asked(), "interpolated").traces
    assert [*curve.y][:3] == pytest.approx([0.5, 1 / 3, 1 / 3])


def test_without_labels_nothing_is_drawn() -> None:
    unlabelled = {key: {"virtual_web_recall": [np.nan] * 6} for key in VALUES}
    bare = asked_of(made(("full_page",), values=unlabelled, pages=PAGES, every=1, budget=10))
    figure = PrecisionRecall().figure(bare)
    assert not figure.has_values and "labels" in figure.empty

"""Clusters of rows with a known answer, and the words that name them."""

from __future__ import annotations

import numpy as np
import pytest

from apps.collection.clusters.clustering import (
    cluster_rows,
    nearest_centres,
    telling_words,
    typical_nearness,
)
from apps.engine.representation.vectors.word_vectors import scaled


def bundles(sizes: list[int]) -> np.ndarray:
    """Rows around one axis each, so many around each."""
    noise = np.random.default_rng(1)
    rows = [np.eye(8)[n] + noise.normal(0, 0.05, 8) for n, k in enumerate(sizes) for _ in range(k)]
    return scaled(np.array(rows, np.float32))


@pytest.mark.parametrize("sizes", [[20, 20], [30, 12, 8], [10, 10, 10, 10, 10]])
def test_bundles_of_rows_are_the_clusters(sizes: list[int]) -> None:
    made = cluster_rows(bundles(sizes))
    assert made is not None and len(made.centres) == len(sizes)
    wanted = np.repeat(np.arange(len(sizes)), sizes)
    pairs = {*zip(wanted.tolist(), made.labels.tolist(), strict=True)}
    assert len(pairs) == len(sizes)
    assert np.array_equal(nearest_centres(made.centres, made.centres), np.arange(len(sizes)))


def test_they_are_the_same_each_time_and_none_for_few_rows() -> None:
    rows = bundles([20, 20, 20])
    one, other = cluster_rows(rows), cluster_rows(rows)
    assert one is not None and other is not None
    assert one.centres.tobytes() == other.centres.tobytes()
    assert cluster_rows(rows[:9]) is None


def test_words_of_one_cluster_name_it_and_those_of_all_do_not() -> None:
    bread = [{"dough": "dough", "page": "page", "oven": "ovens"}] * 3 + [{"oven": "oven"}] * 4
    sea = [{"tide": "tide", "page": "page"}] * 6 + [{"rare": "rare", "page": "page"}]
    assert telling_words([bread, sea]) == [["oven", "dough"], ["tide", "page"]]


def test_half_of_the_pages_have_ten_others_as_near_as_is_typical() -> None:
    rows = bundles([40])
    typical = typical_nearness(rows)
    cosines = rows @ rows.T - 2 * np.eye(40)
    tenth = np.sort(cosines, axis=1)[:, -10]
    assert typical == pytest.approx(float(np.median(tenth)), abs=1e-6)
    assert typical_nearness(rows[:10]) is None


SUBJECTS = {
    "heat": "boiler radiator insulation pump thermostat".split(),
    "law": "statute court appeal verdict clause".split(),
    "birds": "heron plover nest moult warbler".split(),
    "rail": "signal locomotive gauge siding bogie".split(),
    "bread": "dough crust leaven oven rye".split(),
}
EVERYWHERE = "library catalogue visitors".split()


def test_five_subjects_are_named_by_words_that_set_them_apart() -> None:
    """Every page has the words of the whole collection, and of its subject's five one."""
    clusters = []
    for words in SUBJECTS.values():
        pages = [[*EVERYWHERE, words[number % 5]] for number in range(40)]
        clusters.append([{word: word for word in page} for page in pages])
    for words, subject in zip(telling_words(clusters), SUBJECTS.values(), strict=True):
        assert {*words} == {*subject}

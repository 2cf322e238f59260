from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine import checkpoint
from apps.engine.errors import BadCheckpoint
from apps.engine.model import TokenRows
from apps.engine.representation.background import BackgroundStatistics
from apps.engine.representation.weightings import Smart


def rows(*texts: list[int]) -> TokenRows:
    return TokenRows.of([np.array(text, np.int32) for text in texts])


# Two kinds of texts: terms 0, 1, 2 go together, and so do 5, 6; 9 occurs once.
TEXTS = rows([0, 1], [1, 2, 0], [0, 2], [5, 6], [6, 5, 5], [5, 6, 9])


def coordinates(background: BackgroundStatistics, *texts: list[int]) -> np.ndarray:
    weighing = Smart().fit(TEXTS, background=background.fixed_terms())
    return background.coordinates(weighing.weigh(rows(*texts)))


def test_the_idf_is_that_of_the_texts():
    fitted = BackgroundStatistics(2).fit(TEXTS)
    assert fitted.terms_.tolist() == [0, 1, 2, 5, 6, 9]
    assert fitted.idf_ == pytest.approx([math.log(7 / (df + 1)) for df in (3, 2, 2, 3, 3, 1)])


def test_texts_that_are_not_counted_show_which_words_go_together_but_not_which_are_rare():
    fitted = BackgroundStatistics(2).fit(TEXTS, 4)
    assert fitted.texts_ == 4 and fitted.terms_.tolist() == [0, 1, 2, 5, 6, 9]
    assert fitted.idf_ == pytest.approx([math.log(5 / (df + 1)) for df in (3, 2, 2, 1, 1, 0)])
    five, six = coordinates(fitted, [5], [6])
    assert five @ six == pytest.approx(1, abs=0.05)


def test_words_that_go_together_lie_in_one_direction_though_they_share_no_text():
    vectors = coordinates(BackgroundStatistics(2).fit(TEXTS), [1], [2], [6], [5, 5, 6])
    likeness = vectors @ vectors.T
    assert likeness[0, 1] == pytest.approx(1, abs=0.05)
    assert likeness[2, 3] == pytest.approx(1, abs=0.05)
    assert abs(likeness[:2, 2:]).max() < 0.05


def test_the_directions_are_the_right_singular_vectors_of_the_weighted_texts():
    fitted = BackgroundStatistics(3).fit(TEXTS)
    shared = np.where(fitted.terms_ == 9, 0.0, fitted.idf_)
    weights = np.zeros((6, 6))
    for i in range(6):
        terms, counts = np.unique(TEXTS.row(i), return_counts=True)
        columns = np.searchsorted(fitted.terms_, terms)
        weights[i, columns] = (0.5 + 0.5 * counts / counts.max()) * shared[columns]
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    _, values, right = np.linalg.svd(weights)
    assert np.ptp(values[:4]) > 0.01
    assert abs((right[:3] * fitted.directions_.T).sum(axis=1)) == pytest.approx([1, 1, 1], abs=1e-5)


def test_a_text_of_unknown_or_lonely_words_is_nowhere():
    vectors = coordinates(BackgroundStatistics(2).fit(TEXTS), [77], [9], [])
    assert not vectors.any()


def test_a_text_has_the_same_place_in_any_company():
    fitted = BackgroundStatistics(2).fit(TEXTS)
    together = coordinates(fitted, [0, 5], [1, 1, 6, 2], [0])
    for i, text in enumerate(([0, 5], [1, 1, 6, 2], [0])):
        assert np.array_equal(together[i], coordinates(fitted, text)[0])


def test_texts_without_words_in_common_have_no_directions():
    fitted = BackgroundStatistics(2).fit(rows([1], [2], [3]))
    assert len(fitted) == 0 and fitted.texts_ == 3
    assert BackgroundStatistics(2).fit(rows()).terms_.size == 0


def test_it_comes_back_from_a_file_as_it_was(tmp_path):
    fitted = BackgroundStatistics(2).fit(TEXTS)
    checkpoint.write(tmp_path / "b.npz", fitted.state())
    again = BackgroundStatistics(2).restore(checkpoint.read(tmp_path / "b.npz"))
    assert again.digest() == fitted.digest()
    assert np.array_equal(coordinates(again, [0, 5], [1]), coordinates(fitted, [0, 5], [1]))


def test_another_version_is_refused():
    with pytest.raises(BadCheckpoint, match="version 0"):
        BackgroundStatistics().restore({**BackgroundStatistics(2).fit(TEXTS).state(), "version": 0})


def test_its_digest_distinguishes_texts():
    fewer = rows(*(TEXTS.row(i).tolist() for i in range(5)))
    digests = {
        BackgroundStatistics(2).fit(TEXTS).digest(),
        BackgroundStatistics(1).fit(TEXTS).digest(),
        BackgroundStatistics(2).fit(fewer).digest(),
    }
    assert len(digests) == 3
    assert BackgroundStatistics(2).fit(TEXTS).digest() in digests

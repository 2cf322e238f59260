"""BM25, TFIPNDF and LSI against their formulas, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.model import TokenRows
from apps.engine.representation.terms import most_frequent, only
from apps.engine.representation.weightings.bm25 import Bm25
from apps.engine.representation.weightings.lsi import Lsi
from apps.engine.representation.weightings.tfipndf import Tfipndf


def rows(*texts: list[int]) -> TokenRows:
    return TokenRows.of([np.array(text, np.int32) for text in texts])


def test_bm25_by_hand():
    # Three documents of lengths 3, 1, 2: mean 2. Term 1 is in one of them: CFW = ln 3 = 1.0986.
    # In document 0 (NDL 1.5) it occurs twice: k1 = 2, b = .75:
    # 1.0986·2·3/(2·(.25 + .75·1.5) + 2) = 6.5917/4.75 = 1.3877.
    bm25 = Bm25().fit(rows([1, 1, 2], [2], [3, 4]))
    scores = bm25.relevance(rows([1, 1, 2], [2], [3, 4]), np.array([1], np.int32))
    assert scores.tolist() == pytest.approx([math.log(3) * 6 / 4.75, 0, 0])
    assert scores[0] == pytest.approx(1.3877, abs=1e-4)


def test_bm25_vectors_have_unit_length():
    bm25 = Bm25().fit(rows([1, 1, 2], [2], [3, 4]))
    matrix = bm25.transform(rows([1, 2, 3], [9])).toarray()
    assert np.linalg.norm(matrix, axis=1).tolist() == pytest.approx([1.0, 0.0])


def test_a_term_of_many_occurrences_never_weighs_less_than_nothing():
    # 5 occurrences in 2 documents; ln(2/5) would be negative, ln(2/1) is not.
    bm25 = Bm25().fit(rows([7, 7, 7, 7, 7], [8]))
    assert (bm25.idf_ >= 0).all()


def test_tfipndf_by_hand():
    # Positives [1, 2] and [1, 3], negatives [2, 2] and [4]. N = 4.
    # Term 1: P = 2/2, N = 0, idf ln 2. Term 2: P = 1/2, N = 1/2, idf ln 2. Term 3: P = 1/2,
    # idf ln 4. Term 4: N = 1/2, idf ln 4.
    examples, labels = rows([1, 2], [1, 3], [2, 2], [4]), np.array([1, 1, 0, 0], np.int32)
    weighting = Tfipndf().fit(examples, labels)
    positive, negative = (view.matrix().toarray()[0] for view in weighting.views(rows([1, 2, 4])))
    raw = np.array([math.log(2), math.log(2) / 2, 0.0, 0.0])
    assert positive.tolist() == pytest.approx((raw / np.linalg.norm(raw)).tolist())
    raw = np.array([0.0, math.log(2) / 2, 0.0, math.log(4) / 2])
    assert negative.tolist() == pytest.approx((raw / np.linalg.norm(raw)).tolist())


def test_tfipndf_weighs_an_example_by_its_own_class():
    examples, labels = rows([1, 2], [1, 3], [2, 2], [4]), np.array([1, 1, 0, 0], np.int32)
    weighting = Tfipndf().fit(examples, labels)
    trained = weighting.weigh_examples(examples, labels).matrix().toarray()
    as_positive, as_negative = (v.matrix().toarray() for v in weighting.views(examples))
    assert np.array_equal(trained[:2], as_positive[:2])
    assert np.array_equal(trained[2:], as_negative[2:])


def test_tfipndf_cannot_learn_without_labels():
    with pytest.raises(ValueError, match="labelled"):
        Tfipndf().fit(rows([1], [2]))


def test_lsi_keeps_the_largest_directions():
    # Two documents of terms 1, 2 and one of 3: A = [[1, 1, 0], [1, 1, 0], [0, 0, 1]], raw counts;
    # singular values 2, 1. A text of term 1 is half-way into the first direction: unit place ±1.
    lsi = Lsi(k=1, unit=False).fit(rows([1, 2], [1, 2], [3]))
    assert lsi.singular_.tolist() == pytest.approx([2.0])
    vectors = lsi.transform(rows([1], [2, 2], [3], [9])).toarray()
    assert np.abs(vectors).ravel().tolist() == pytest.approx([1, 1, 0, 0], abs=1e-12)
    assert vectors[0, 0] == pytest.approx(vectors[1, 0])


def test_lsi_may_scale_documents_to_unit_length():
    lsi = Lsi(k=5).fit(rows([1, 1, 1, 1], [2]))
    assert lsi.singular_.tolist() == pytest.approx([1.0, 1.0])
    assert lsi.counts(rows([2, 2, 1])).matrix().toarray().tolist() == [[1.0, 2.0]]


def test_the_most_frequent_terms_are_kept():
    texts = rows([5, 5, 3], [3, 1], [1, 9])
    assert most_frequent(texts, 2).tolist() == [1, 3]  # 1, 3 and 5 occur twice; lower ids win
    kept = only(texts, np.array([1, 3], np.int32))
    assert [kept.row(i).tolist() for i in range(3)] == [[3], [3, 1], [1]]

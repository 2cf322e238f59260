"""Texts with words in common are near, whatever words alone tell apart."""

from __future__ import annotations

import numpy as np
import pytest

from apps.collection.vectors.text_space import TextSpace
from apps.engine.representation.vectors.word_vectors import WordVectors
from tests.near_pages import GROUPS, text_of


def texts() -> list[list[str]]:
    return [text_of(group, n).strip(".").split() for group in GROUPS for n in range(10)]


def space(vectors: WordVectors | None = None) -> TextSpace:
    made = TextSpace.fit(texts(), vectors)
    assert made is not None
    return made


def test_texts_of_a_group_are_nearer_than_those_of_another() -> None:
    rows = space().place(texts())
    cosines = (rows @ rows.T).reshape(3, 10, 3, 10)
    within = min(cosines[g, :, g, :].min() for g in range(3))
    between = max(cosines[g, :, h, :].max() for g in range(3) for h in range(3) if g != h)
    assert within > 0.3 > 0 > between
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_a_word_is_near_to_texts_without_it_by_the_words_it_stands_beside() -> None:
    """Latent semantic analysis: `oven` is near to a text of `dough` and `yeast` alone."""
    made = space()
    oven = made.place_query(["oven"], None)
    bread, sea = made.place([["dough", "yeast"], ["tide", "kelp"]])
    assert oven @ bread > 0.2 > -0.1 > oven @ sea


def test_it_is_the_same_for_the_same_texts_and_survives_packing() -> None:
    first, second = space(), space()
    assert first.pack() == second.pack()
    read = TextSpace.unpack(first.pack())
    assert read.terms == first.terms and read.pages == 30
    assert np.array_equal(read.place(texts()), first.place(texts()))


def test_it_equals_the_obvious_computation() -> None:
    made = space()
    text = texts()[4]
    weights = np.zeros(len(made.terms))
    for word in set(text):
        weights[made.terms.index(word)] = 1 + np.log(text.count(word))
    pages_with = [sum(word in other for other in texts()) for word in made.terms]
    weights *= [np.log(31 / (1 + pages)) + 1 for pages in pages_with]
    placed = (weights / np.linalg.norm(weights)) @ made.table
    placed = placed / np.linalg.norm(placed) - made.mean
    assert made.place([text])[0] == pytest.approx(placed / np.linalg.norm(placed), abs=1e-4)
    assert made.table.shape == (36, 7)


def test_by_word_vectors_a_word_that_no_text_has_is_near_to_those_used_like_it() -> None:
    listed = [word for group in GROUPS.values() for word in group]
    axes = np.eye(3, dtype=np.float32)
    rows = np.stack([axes[number // 12] for number in range(36)])
    vectors = WordVectors.of([*listed, "sourdough"], np.vstack([rows, axes[:1]]))
    made = space(vectors)
    bread, sea = made.place([["dough", "yeast"], ["tide", "kelp"]])
    query = made.place_query(["sourdough"], vectors)
    assert query @ bread == pytest.approx(1, abs=0.05)
    assert query @ sea < 0
    assert not made.place_query(["sourdough"], None).any()


def test_there_is_none_of_texts_without_a_common_term_and_a_text_without_terms_is_zero() -> None:
    assert TextSpace.fit([["one"], ["other"]]) is None
    assert not space().place([["unseen"], []]).any()

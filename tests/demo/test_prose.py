from __future__ import annotations

import re
from random import Random

from apps.demo.prose import LEADS, SENTENCES, Palette
from apps.demo.vocabulary import fields

FUNCTION_WORDS = frozenset(
    "a an and are as at be before by each for from has have how if in is it its like more most "
    "not of on one or our should that the their them they this to until was we were when who "
    "will with without would".split()
)


def test_sentences_read_like_prose():
    rng = Random(1)
    for field in fields():
        palette = Palette(field, rng, 0.5)
        sentences = [palette.fill(SENTENCES, rng) for _ in range(200)]
        text = " ".join(sentences)
        words = re.findall(r"\w+", text.lower())
        assert all(re.fullmatch(r"[A-ZÀ-Ý].*[.]", sentence) for sentence in sentences)
        assert "{" not in text
        assert not re.search(r"\b[Aa] [aeiou]", text)
        assert 0.3 < sum(word in FUNCTION_WORDS for word in words) / len(words) < 0.6
        assert len(set(sentences)) > 150


def test_a_lead_holds_its_link_once():
    rng = Random(2)
    palette = Palette(fields()[0], rng, 0.5)
    assert all(palette.fill(LEADS, rng, "LINK").count("LINK") == 1 for _ in range(100))


def test_rarity_reaches_further_down_the_word_lists():
    field = fields()[0]
    position = {word: i for i, word in enumerate(field.words["thing"])}

    def depth(rarity: float) -> float:
        palettes = [Palette(field, Random(seed), rarity) for seed in range(200)]
        words = [word for palette in palettes for word in palette.words["thing"]]
        return sum(position[word] for word in words) / len(words)

    assert depth(0.9) > 1.3 * depth(0.1)

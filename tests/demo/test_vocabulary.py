from __future__ import annotations

import pytest

from apps.demo.vocabulary import fields, gerund, past, plural


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("loaf", "loaves"),
        ("berry", "berries"),
        ("tray", "trays"),
        ("box", "boxes"),
        ("child", "children"),
        ("crust", "crusts"),
        ("cirrus", "cirrus"),
    ],
)
def test_plurals(word, wanted):
    assert plural(word) == wanted


@pytest.mark.parametrize(
    ("verb", "participle", "continuous"),
    [
        ("bake", "baked", "baking"),
        ("mix", "mixed", "mixing"),
        ("trim", "trimmed", "trimming"),
        ("bury", "buried", "burying"),
        ("feed", "fed", "feeding"),
        ("hoe", "hoed", "hoeing"),
        ("survey", "surveyed", "surveying"),
    ],
)
def test_verbs(verb, participle, continuous):
    assert (past(verb), gerund(verb)) == (participle, continuous)


def test_every_topic_has_several_hundred_words_and_neighbours_that_exist():
    slugs = {field.slug for field in fields()}
    assert len(slugs) == len(fields()) >= 9
    for field in fields():
        assert len({word for words in field.words.values() for word in words}) >= 300
        assert set(field.neighbours) <= slugs - {field.slug}

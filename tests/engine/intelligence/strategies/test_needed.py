"""What strategies need depends on the hyper-parameters they are given."""

from __future__ import annotations

from apps.engine.codes import Need
from apps.engine.intelligence.strategies import CATALOGUE, strategy


def needed(id: str, **parameters: object) -> frozenset[Need]:
    return strategy(id).build(parameters).needed()


def test_with_defaults_they_need_what_the_catalogue_says():
    assert all(cls().needed() == cls.needs for cls in CATALOGUE)


def test_learning_off_line_needs_an_earlier_crawl():
    assert Need.CRAWL in needed("apprentice", mode="offline")
    assert Need.CRAWL in needed("anchor_decision_tree", mode="offline")


def test_theta_over_an_exploratory_crawl_needs_that_crawl():
    for id in ("utility", "adaptive_utility", "in_links"):
        assert Need.CRAWL in needed(id, theta_over="crawl")


def test_classes_of_pages_need_a_taxonomy():
    assert needed("apprentice", classes=True) == {Need.EXAMPLES, Need.TAXONOMY}


def test_examples_for_a_query_take_the_place_of_keywords():
    assert needed("hcla", query="examples") == {Need.EXAMPLES, Need.CORPUS}


def test_idf_over_the_background_needs_one():
    for id in ("full_page", "apprentice", "adaptive_utility", "text_window_backlink"):
        assert Need.BACKGROUND in needed(id, idf="background")

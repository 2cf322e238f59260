from __future__ import annotations

from apps.engine.evaluation.difficulty import domains, quarters


def test_the_worst_recall_is_the_hardest_and_groups_are_equal():
    recall = {"a": 0.9, "b": 0.1, "c": 0.4, "d": 0.2, "e": 0.5, "f": 0.05, "g": 0.7, "h": 0.3}
    assert quarters(recall) == (("f", "b"), ("d", "h"), ("c", "e"), ("g", "a"))


def test_what_is_over_goes_to_the_harder_groups_and_ties_to_names():
    assert quarters(dict.fromkeys("gfedcba", 0.5)) == (("a", "b"), ("c", "d"), ("e", "f"), ("g",))
    assert quarters({"only": 0.1}) == (("only",), (), (), ())


def test_domains_are_top_categories_with_enough_topics():
    topics = ["Top/Science/Stars", "Science/Ants", "Top/Arts/Glass", "Science"]
    assert domains(topics, least=2) == {"Science": ("Top/Science/Stars", "Science/Ants", "Science")}

from __future__ import annotations

from apps.engine.evaluation.url_overlap import UrlOverlap, url_overlap


def test_pages_are_counted_alone_and_together():
    shared = url_overlap(["a", "b", "c"], ["c", "d", "b"])
    assert shared == UrlOverlap(first_alone=1, both=2, second_alone=1)
    assert shared.share == 0.5


def test_the_overlap_of_two_empty_crawls_is_undefined():
    assert url_overlap([], []).share is None

from __future__ import annotations

from apps.engine.evaluation.url_overlap import UrlOverlap, url_overlap


def test_pages_are_counted_alone_and_together():
    found = url_overlap(["a", "b", "c"], ["c", "d", "b"])
    assert found == UrlOverlap(first_alone=1, both=2, second_alone=1)
    assert found.share == 0.5


def test_two_empty_crawls_share_nothing_that_can_be_said():
    assert url_overlap([], []).share is None

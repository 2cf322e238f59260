from __future__ import annotations

import pytest

from apps.experiments.studies.status_by_distance import status_by_distance
from tests.experiments.studies.made_pages import read

# Page n links to page n + 10, which has one in-link more.
PAGES = [(f"http://a{n}.test/{n}", f"<a href=http://b{n}.test/{n}>next</a>") for n in range(10)]
INLINKS = {f"http://{side}{n}.test/{n}": n + (side == "b") for n in range(10) for side in "ab"}


def test_pages_that_link_to_their_like_correlate() -> None:
    near, *_ = status_by_distance([read(*PAGES, inlinks=INLINKS)])
    assert (near.distance, near.pairs, near.cross_pairs) == (1, 10, 10)
    assert near.correlation == pytest.approx(1.0) and near.cross == pytest.approx(1.0)


def test_links_of_all_topics_are_one_graph_and_counts_of_any_do() -> None:
    pages = read(*PAGES[:5], inlinks=INLINKS)
    near, *_ = status_by_distance([pages, read(*PAGES[5:], inlinks=INLINKS)])
    assert near.pairs == 10


def test_without_counts_nothing_is_reported() -> None:
    assert status_by_distance([read(*PAGES)]) == ()

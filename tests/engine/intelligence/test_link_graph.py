from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.intelligence.link_graph import LinkGraph

PAGES = st.dictionaries(
    st.integers(0, 40), st.lists(st.integers(0, 3000), max_size=12), max_size=12
)


def graph_of(pages: dict[int, list[int]]) -> LinkGraph:
    graph = LinkGraph()
    for source, targets in pages.items():
        graph.add(source, np.array(targets, np.int64))
    return graph


def test_in_degrees_count_fetched_pages_once_each():
    graph = graph_of({0: [1, 2, 2, 0], 1: [2, 5]})
    assert graph.in_degrees(np.array([0, 1, 2, 5, 3, 99])).tolist() == [0, 1, 2, 1, 0, 0]
    assert (graph.pages, graph.links, graph.nodes) == (2, 4, 6)


def test_targets_are_those_of_fetched_pages():
    graph = graph_of({3: [7, 1], 0: []})
    assert graph.targets(3).tolist() == [1, 7]
    assert [graph.targets(number).tolist() for number in (0, 1, 50)] == [[], [], []]
    assert (graph.fetched(3), graph.fetched(7), graph.fetched(50)) == (True, False, False)
    assert graph.sources().tolist() == [3, 0]


def test_a_page_is_added_once():
    graph = graph_of({3: [7]})
    with pytest.raises(ValueError, match="already"):
        graph.add(3, np.array([1]))


def test_an_empty_graph_has_an_empty_matrix():
    assert LinkGraph().matrix().shape == (0, 0)
    assert LinkGraph().in_degrees(np.array([4])).tolist() == [0]


@given(PAGES)
def test_it_holds_what_a_dictionary_of_sets_would(pages):
    graph = graph_of(pages)
    expected = {source: {t for t in targets if t != source} for source, targets in pages.items()}
    links = sorted((s, t) for s, targets in expected.items() for t in targets)
    assert sorted(zip(*(ends.tolist() for ends in graph.edges()), strict=True)) == links
    rows, columns = graph.matrix().nonzero()
    assert sorted(zip(rows.tolist(), columns.tolist(), strict=True)) == links
    degrees = [sum(number in targets for targets in expected.values()) for number in range(3001)]
    assert graph.in_degrees(np.arange(3001)).tolist() == degrees


@given(PAGES)
def test_it_survives_a_restart_and_grows_on(pages):
    graph, restored = graph_of(pages), LinkGraph()
    restored.restore(graph.state())
    for each in (graph, restored):
        each.add(4000, np.array([1, 2]))
    assert (restored.matrix() != graph.matrix()).nnz == 0
    assert restored.sources().tolist() == graph.sources().tolist()


def test_the_matrix_follows_growth():
    graph = graph_of({0: [1]})
    assert graph.matrix() is graph.matrix()
    graph.add(1, np.array([2]))
    assert graph.matrix().shape == (3, 3)

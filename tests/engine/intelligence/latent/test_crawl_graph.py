from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.intelligence.latent.crawl_graph import crawl_graph, fold
from apps.engine.intelligence.link_graph import LinkGraph


def test_urls_that_are_neither_fetched_nor_waiting_are_left_out():
    # Page 4, then page 0; 7 and 9 wait, 8 has failed. Nodes: 4 → 0, 0 → 1, 7 → 2, 9 → 3.
    graph = LinkGraph()
    graph.add(4, np.array([0, 8, 9]))
    graph.add(0, np.array([4, 7]))
    web = crawl_graph(graph, np.array([7, 9]))
    pairs = sorted(zip(web.source.tolist(), web.target.tolist(), strict=True))
    assert pairs == [(0, 1), (0, 3), (1, 0), (1, 2)]
    assert web.frontier(np.arange(4.0)).tolist() == [2.0, 3.0]


def test_a_waiting_url_nobody_links_to_is_a_node_without_links():
    graph = LinkGraph()
    graph.add(0, np.array([1]))
    web = crawl_graph(graph, np.array([1, 500]))
    assert (web.nodes, web.target.tolist()) == (3, [1])


@given(st.dictionaries(st.integers(0, 30), st.sets(st.integers(0, 30)), max_size=8))
def test_links_are_found_where_they_stand(pages):
    graph = LinkGraph()
    for source, targets in pages.items():
        graph.add(source, np.array(sorted(targets), np.int64))
    edges = list(zip(*(part.tolist() for part in graph.edges()), strict=True))
    asked = [(u, v) for u in range(0, 40, 3) for v in range(0, 40, 2)] + edges
    source, target = np.array(asked, np.int64).reshape(-1, 2).T
    expected = [edges.index(pair) if pair in edges else -1 for pair in asked]
    assert graph.edge_indices(source, target).tolist() == expected


def test_urls_that_one_page_alone_links_to_fold_into_one_node():
    # Page 0 links to 5, 6 and 8, page 1 to 7 and 8; nobody links to 9 and 10.
    graph = LinkGraph()
    graph.add(0, np.array([1, 5, 6, 8]))
    graph.add(1, np.array([7, 8]))
    nodes = fold(crawl_graph(graph, np.array([5, 6, 7, 8, 9, 10])))
    five, six, seven, eight, nine, ten = nodes.group.tolist()
    assert five == six and nine == ten and len({five, seven, eight, nine}) == 4
    assert nodes.copies[[five, seven, eight, nine]].tolist() == [2, 1, 1, 2]
    pairs = sorted(zip(nodes.web.source.tolist(), nodes.web.target.tolist(), strict=True))
    assert pairs == sorted([(0, 1), (0, 2 + five), (0, 2 + eight), (1, 2 + seven), (1, 2 + eight)])


def test_pages_that_do_not_count_take_their_links_with_them():
    graph = LinkGraph()
    graph.add(0, np.array([1, 5]))
    graph.add(1, np.array([0, 6]))
    web = crawl_graph(graph, np.array([5, 6]), np.array([1]))
    assert (web.fetched, web.source.tolist(), web.target.tolist()) == (1, [0], [2])
    assert graph.leads_to(np.array([6, 900])).tolist() == [False, True]

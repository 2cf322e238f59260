from __future__ import annotations

import numpy as np
import pytest

from apps.engine.evaluation.status_locality import StatusGraph, status_locality


def links(inlinks, out, domains=None) -> StatusGraph:
    """From each node's in-link count and its list of out-links."""
    indptr = np.cumsum([0] + [len(targets) for targets in out])
    flat = np.array([target for targets in out for target in targets], np.int64)
    sites = np.arange(len(out)) if domains is None else np.array(domains)
    return StatusGraph(np.array(inlinks, float), sites, indptr, flat)


def chain(n: int) -> StatusGraph:
    """Page i links to page i + 1 alone, and counts rise with i."""
    return links(range(n), [[i + 1] if i + 1 < n else [] for i in range(n)])


def test_pages_that_link_to_their_like_correlate_at_every_distance():
    one, two, three, apart = status_locality(chain(40))
    assert [each.pairs for each in (one, two, three)] == [39, 38, 37]
    assert [each.correlation for each in (one, two, three)] == pytest.approx([1, 1, 1])
    assert one.cross == pytest.approx(1)
    assert apart.distance is None
    assert abs(apart.correlation) < 0.5


def test_pages_that_link_to_their_opposite_correlate_negatively():
    n = 20
    locality = status_locality(links(range(n), [[n - 1 - i] for i in range(n)]))
    assert locality[0].correlation == pytest.approx(-1)
    assert (locality[1].pairs, locality[1].correlation) == (0, None)  # two steps lead back


def test_every_link_of_a_hub_takes_part():
    # Page 0 links to all others, page 1 to page 2 alone.
    web = links([5, *range(1, 30)], [list(range(1, 30)), [2], *[[]] * 28])
    one, two, three, _ = status_locality(web)
    assert one.pairs == 29
    assert (two.pairs, three.pairs) == (1, 0)


def test_a_page_that_many_link_to_is_drawn_once():
    locality = status_locality(links(range(10), [[9]] * 9 + [[]]))
    assert locality[0].pairs == 1


def test_the_sample_bounds_every_distance():
    n = 300
    web = links(range(n), [[(i * 7 + j) % n for j in range(1, 9)] for i in range(n)])
    assert [each.pairs for each in status_locality(web, sample=40)[:3]] == [40, 40, 40]


def test_p_separates_chance_from_locality():
    one, _, _, apart = status_locality(chain(200))
    assert one.p < 1e-6 and one.cross_p < 1e-6
    assert apart.p > 0.01


def test_pairs_of_one_domain_are_left_out_of_the_cross_correlation():
    # In pairs (0, 1), (2, 3) … of one domain each; across domains counts fall as they rise.
    inlinks = [0, 0, 1, 1, 2, 2, 3, 3]
    out = [[1], [6], [3], [4], [5], [2], [7], [0]]
    locality = status_locality(links(inlinks, out, [0, 0, 1, 1, 2, 2, 3, 3]))[0]
    assert (locality.pairs, locality.cross_pairs) == (8, 4)
    assert locality.cross == pytest.approx(-1)
    assert locality.correlation > locality.cross


def test_unknown_counts_are_no_pairs():
    inlinks = [0, 1, 2, np.nan, 4, 5]
    locality = status_locality(links(inlinks, [[1], [2], [3], [4], [5], []]))
    assert locality[0].pairs == 3  # 0→1, 1→2, 4→5; 3 is no root and 2→3 has no count


def test_counts_that_do_not_vary_have_no_correlation():
    locality = status_locality(links([7] * 6, [[(i + 1) % 6] for i in range(6)]))
    assert locality[0].pairs == 6
    assert locality[0].correlation is None


def test_it_draws_from_the_roots_given_and_repeats():
    web = chain(200)
    roots = np.arange(50)
    first = status_locality(web, roots, sample=30, seed=5)
    assert first[0].pairs == 30
    assert first == status_locality(web, roots, sample=30, seed=5)

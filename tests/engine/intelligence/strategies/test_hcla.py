from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from apps.engine.codes import Need
from apps.engine.intelligence.latent.crawl_graph import CrawlGraph
from apps.engine.intelligence.latent.expanded_corpus import linked_factors
from apps.engine.intelligence.latent.web import (
    Expansion,
    cosines_with_documents,
    expand,
    priorities,
    project,
)
from apps.engine.intelligence.strategies import hcla
from apps.engine.intelligence.strategies.hcla import Hcla
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.parsing.document import parse_html
from apps.engine.representation.decomposition import truncated_svd
from apps.engine.representation.weightings.lsi import Lsi
from apps.engine.topics import Example, Topic
from tests.engine.intelligence.strategies.toy import Waiting, visit_of

TERMS, DOCUMENTS, K, FETCHED, WAITING = 30, 25, 5, 4, 6


@pytest.fixture
def toy():
    """A corpus matrix A (30 × 25), a web of 4 + 6 pages with texts, and D (34 × 10)."""
    random = np.random.default_rng(1)
    a = random.poisson(0.8, (TERMS, DOCUMENTS)).astype(float)
    left, singular, right = np.linalg.svd(a, full_matrices=False)
    pairs = [
        (u, v) for u in range(FETCHED) for v in range(FETCHED + WAITING) if u != v and (u + v) % 3
    ]
    web = CrawlGraph(FETCHED, WAITING, *np.array(pairs).T)
    page, term = np.nonzero(random.random((FETCHED, TERMS)) < 0.3)
    texts = (page, term, np.full(len(page), 4.0))
    none = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    d = expand(web, TERMS, texts, none, Expansion(2.0, True, False))
    return left[:, :K], singular[:K], right[:K], d


def whole(left, singular, right, d):
    """[[A_k; 0] | D], dense."""
    a_k = (left * singular) @ right
    below = np.zeros((d.shape[0] - TERMS, DOCUMENTS))
    return np.hstack([np.vstack([a_k, below]), d.toarray()])


def test_the_printed_update_makes_every_waiting_url_zero(toy):
    # HCLA eq. 17–18: U_B = [U; 0], F = (S | U_Bᵀ·D); the frontier columns of U_Bᵀ·D are Uᵀ·0.
    left, _, _, d = toy
    base = np.vstack([left, np.zeros((FETCHED, K))])
    assert np.abs(base.T @ d.toarray()[:, FETCHED:]).max() == 0.0


def test_the_corrected_update_is_the_truncated_svd_of_the_whole_matrix(toy):
    left, singular, right, d = toy
    latent = project(left * singular, d, K, FETCHED)
    u, s, v = np.linalg.svd(whole(left, singular, right, d), full_matrices=False)
    expected = (u[:, :K] * s[:K]) @ v[:K]
    # The signs of singular vectors are free, the products are not.
    frontier = expected[:TERMS, DOCUMENTS + FETCHED :]
    assert latent.base @ latent.coordinates == pytest.approx(frontier)
    assert np.linalg.norm(latent.coordinates, axis=0) == pytest.approx(
        np.linalg.norm(s[:K, None] * v[:K], axis=0)[DOCUMENTS + FETCHED :]
    )


def test_it_is_the_svd_of_a_k_and_not_of_a(toy):
    # The two differ, so the test above would tell them apart.
    left, singular, right, d = toy
    random = np.random.default_rng(1)
    a = random.poisson(0.8, (TERMS, DOCUMENTS)).astype(float)
    full = np.hstack([np.vstack([a, np.zeros((FETCHED, DOCUMENTS))]), d.toarray()])
    of_a = np.linalg.svd(full, compute_uv=False)[:K]
    of_a_k = np.linalg.svd(whole(left, singular, right, d), compute_uv=False)[:K]
    assert np.abs(of_a - of_a_k).max() > 1e-3


def test_cosines_are_those_of_equation_19(toy):
    left, singular, right, d = toy
    u, s, v = np.linalg.svd(whole(left, singular, right, d), full_matrices=False)
    query = np.zeros(TERMS)
    query[[3, 7]] = 1.0
    extended = np.concatenate([query, np.zeros(FETCHED)])
    expected = [
        (v[:K, j] * s[:K])
        @ (u[:, :K].T @ extended)
        / (np.linalg.norm(s[:K] * v[:K, j]) * np.linalg.norm(extended))
        for j in range(DOCUMENTS + FETCHED, DOCUMENTS + FETCHED + WAITING)
    ]
    latent = project(left * singular, d, K, FETCHED)
    assert latent.cosines(query[:, None])[:, 0] == pytest.approx(np.array(expected))


def test_the_matrix_by_hand():
    # Two terms, pages 0 and 1, waiting 2. Page 0 says term 0 twice and links to 2; page 1 says
    # term 1 and links to 0. Link weight .5, self links, raw columns.
    web = CrawlGraph(2, 1, np.array([0, 1]), np.array([2, 0]))
    texts = (np.array([0, 1]), np.array([0, 1]), np.array([2.0, 1.0]))
    anchors = (np.array([0]), np.array([1]), np.array([3.0]))
    d = expand(web, 2, texts, anchors, Expansion(0.5, True, False)).toarray()
    assert d.tolist() == [
        [2.0, 0.0, 0.0],  # term 0: L | O
        [0.0, 1.0, 3.0],  # term 1: waiting URL's anchor text
        [0.5, 0.0, 0.5],  # page 0 links to itself and to the waiting URL
        [0.5, 0.5, 0.0],  # page 1 links to page 0 and to itself
    ]
    unit = expand(web, 2, texts, anchors, Expansion(0.5, False, True)).toarray()
    assert np.linalg.norm(unit, axis=0) == pytest.approx(np.ones(3))
    assert unit[2].tolist() == pytest.approx([0, 0, 0.5 / np.hypot(0.5, 3.0)])


def test_links_of_weight_0_leave_no_column_without_a_number():
    web = CrawlGraph(1, 1, np.array([0]), np.array([1]))
    none = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    d = expand(web, 2, none, none, Expansion(0.0, True, True))
    assert d.toarray().tolist() == np.zeros((3, 2)).tolist()


def test_large_and_small_matrices_are_decomposed_alike():
    random = np.random.default_rng(2)
    matrix = csr_matrix(np.where(random.random((150, 130)) < 0.1, random.random((150, 130)), 0))
    left, singular, right = truncated_svd(matrix, 8)
    expected = np.linalg.svd(matrix.toarray(), compute_uv=False)[:8]
    assert singular == pytest.approx(expected)
    assert (left.T @ left) == pytest.approx(np.eye(8), abs=1e-9)
    u, s, v = np.linalg.svd(matrix.toarray())
    assert (left * singular) @ right == pytest.approx((u[:, :8] * s[:8]) @ v[:8], abs=1e-8)
    again = truncated_svd(matrix, 8)
    assert all(np.array_equal(x, y) for x, y in zip((left, singular, right), again, strict=True))


def test_zero_singular_values_are_left_out():
    left, singular, right = truncated_svd(csr_matrix(np.outer([1.0, 2.0], [3.0, 0.0, 4.0])), 2)
    assert (left.shape, singular.shape, right.shape) == ((2, 1), (1,), (1, 3))
    assert truncated_svd(csr_matrix((3, 4)), 2)[1].size == 0


def topic_of(**parts) -> TopicModel:
    texts = ["bread oven dough", "bread dough", "signal track engine", "signal engine"] * 2
    corpus = tuple(parse_html(t, f"http://corpus.test/{i}") for i, t in enumerate(texts))
    return TopicModel(Topic("t", language="en", keywords=("oven",), corpus=corpus, **parts))


def test_a_url_that_a_like_page_links_to_comes_first():
    # The query says oven, page 0 only dough: they meet in the corpus. Page 1 is about trains.
    topic = topic_of()
    strategy = Hcla(k=2).fit(topic)
    strategy.learn(visit_of("dough bread <a href=/5></a>", topic, number=0, links=[5]))
    strategy.learn(visit_of("signal engine <a href=/6></a>", topic, number=1, links=[6]))
    near, far, seed = strategy.rescore(Waiting([5, 6, 7]))
    assert near == 1.0 > far > seed == 0.0


def test_without_links_to_itself_and_anchors_a_waiting_url_shares_no_term():
    # G's diagonal is what carries a page's text to what it links to.
    topic = topic_of()
    strategy = Hcla(k=2, self_link=False).fit(topic)
    strategy.learn(visit_of("dough <a href=/5></a>", topic, number=0, links=[5]))
    cosines = strategy.rank(Waiting([5]))
    assert cosines.tolist() in ([0.0], pytest.approx([0.5]))


def test_anchor_text_is_the_text_of_a_waiting_url():
    topic = topic_of()
    strategy = Hcla(k=2, anchor_text=True, self_link=False).fit(topic)
    page = "<a href=/5>dough</a><a href=/6>signal</a>"
    strategy.learn(visit_of(page, topic, number=0, links=[5, 6]))
    near, far = strategy.rank(Waiting([5, 6]))
    assert near > far


def test_a_query_without_a_corpus_term_scores_every_url_lowest():
    corpus = (parse_html("lemon river", "http://c.test/"),)
    topic = TopicModel(Topic("t", language="en", keywords=("oven",), corpus=corpus))
    strategy = Hcla().fit(topic)
    strategy.learn(visit_of("lemon <a href=/5></a>", topic, number=0, links=[5]))
    assert strategy.rescore(Waiting([5])).tolist() == [0.0]


def test_several_queries_meet_in_a_noise_or():
    # Cosines .3, −.4, −.2 give .3 and not −.176; .5 and .5 give .75.
    cosines = np.array([[0.3, -0.4, -0.2], [0.5, 0.5, np.nan]])
    assert priorities(cosines).tolist() == pytest.approx([0.3, 0.75])
    assert priorities(np.array([[0.0], [-1.0], [np.nan]])).tolist() == [0.5, 0.0, 0.0]


@pytest.mark.parametrize("columns", ["unit", "raw"])
def test_folded_urls_have_the_cosines_they_have_one_by_one(columns, monkeypatch):
    # URLs 20 to 29 hang on page 0 alone, 30 on pages 1 and 2, 40 on nothing.
    topic = topic_of()
    texts = ["dough bread", "signal engine", "oven dough signal"]
    links = [[*range(20, 30), 1], [30, 31], [30, 0]]
    cosines = []
    for fold in (hcla.fold, hcla.without_folding):
        monkeypatch.setattr(hcla, "fold", fold)
        strategy = Hcla(k=3, columns=columns).fit(topic)
        for number, (text, targets) in enumerate(zip(texts, links, strict=True)):
            anchors = "".join(f"<a href=/{n}></a>" for n in targets)
            strategy.learn(visit_of(text + anchors, topic, number=number, links=targets))
        cosines.append(strategy.rank(Waiting([*range(20, 32), 40])))
    assert cosines[0] == pytest.approx(cosines[1])
    assert len(set(cosines[0].tolist())) == 4


def test_a_full_reorder_keeps_the_pages_that_lead_on_and_are_like_the_query():
    topic = topic_of()
    strategy = Hcla(k=2, most_pages=1).fit(topic)
    pages = [("bread oven dough", []), ("dough", [5]), ("signal engine", [6])]
    for number, (text, links) in enumerate(pages):
        text += "".join(f"<a href=/{n}></a>" for n in links)
        strategy.learn(visit_of(text, topic, number=number, links=links))
    near, far = strategy.rank(Waiting([5, 6]))
    assert near > far == 0.0


def test_a_newcomer_on_the_topic_overtakes_in_a_full_reorder():
    # Two places, both taken by links of a page on trains, when a page on bread links to 7.
    topic = topic_of()
    strategy = Hcla(k=2, most_waiting=2).fit(topic)
    strategy.learn(visit_of("signal <a href=/5></a><a href=/6></a>", topic, number=0, links=[5, 6]))
    assert strategy.rescore(Waiting([5, 6])).min() > 0
    strategy.learn(visit_of("dough bread <a href=/7></a>", topic, number=1, links=[7]))
    first, second, newcomer = strategy.rescore(Waiting([5, 6, 7]))
    assert newcomer == 1.0 > max(first, second)


def test_a_full_reorder_leaves_out_the_known_urls_that_were_ranked_lowest():
    topic = topic_of()
    strategy = Hcla(k=2, most_waiting=2).fit(topic)
    strategy.learn(visit_of("signal <a href=/5></a>", topic, number=0, links=[5]))
    strategy.learn(visit_of("dough bread <a href=/6></a>", topic, number=1, links=[6]))
    strategy.rescore(Waiting([5, 6]))
    strategy.learn(visit_of("oven bread <a href=/7></a>", topic, number=2, links=[7]))
    low, high, new = strategy.rescore(Waiting([5, 6, 7]))
    assert (low, high > 0, new > 0) == (0.0, True, True)


def test_of_more_newcomers_than_places_the_best_known_keep_half():
    # Four places, four known URLs, of which 5 and 6 were ranked best, and six newcomers.
    topic = topic_of()
    strategy = Hcla(k=2, most_waiting=4).fit(topic)
    for number, (text, links) in enumerate([("dough", [5, 6]), ("signal", [7, 8])]):
        text += "".join(f"<a href=/{n}></a>" for n in links)
        strategy.learn(visit_of(text, topic, number=number, links=links))
    strategy.rescore(Waiting([5, 6, 7, 8]))
    new = [*range(10, 16)]
    page = "bread" + "".join(f"<a href=/{n}></a>" for n in new)
    strategy.learn(visit_of(page, topic, number=2, links=new))
    again = Hcla(k=2, most_waiting=4).fit(topic)
    again.restore(strategy.state())
    for one in (strategy, again):
        scores = one.rescore(Waiting([5, 6, 7, 8, *new]))
        assert np.flatnonzero(scores).tolist() == [0, 1, 4, 5]


def test_links_among_the_corpus_are_rows_below_its_terms():
    # Document 0 says term 0 and links to document 1, which says term 1 twice; link weight .5.
    pages = [
        parse_html("<a href=/1>x</a><a href=http://else.test/>y</a>", "http://c.test/0"),
        parse_html("no link", "http://c.test/1"),
    ]
    rows = TokenRows.of([np.array([0], np.int32), np.array([1, 1], np.int32)])
    lsi = Lsi(5, False).fit(rows)
    stored = linked_factors(lsi, rows, pages, Expansion(0.5, True, False))
    matrix = np.array([[1, 0], [0, 2], [0.5, 0.5], [0, 0.5]])
    assert stored @ stored.T == pytest.approx(matrix @ matrix.T)


def test_with_known_links_the_corpus_has_a_row_more_a_document():
    # Eight documents. Pages of bread still lead to better URLs than those of trains.
    topic = topic_of()
    strategy = Hcla(k=2, corpus_links=True).fit(topic)
    assert len(strategy.stored_) == len(strategy.lsi_.terms_) + 8
    strategy.learn(visit_of("dough bread <a href=/5></a>", topic, number=0, links=[5]))
    strategy.learn(visit_of("signal engine <a href=/6></a>", topic, number=1, links=[6]))
    near, far = strategy.rank(Waiting([5, 6]))
    assert near > far


def test_a_dropped_corpus_leaves_the_space_to_the_crawls_own_pages():
    # D = one column a page and URL: oven | link row of page 0; the query says oven.
    topic = topic_of()
    strategy = Hcla(k=5, columns="raw", corpus_until=2).fit(topic)
    strategy.learn(visit_of("oven <a href=/5></a>", topic, number=0, links=[5]))
    strategy.learn(visit_of("dough <a href=/6></a>", topic, number=1, links=[6]))
    # Of page 0 and URL 5: columns (1, 1) and (0, 1) over oven and the link row; k = 5 keeps all,
    # so the cosine is that of URL 5's own column, which says nothing: (1 + 0)/2.
    assert strategy.rank(Waiting([5, 6])).tolist() == pytest.approx([0.5, 0.5])
    # With k = 1 the larger block is left, M·Mᵀ = [[1, 1], [1, 2]] of both pages: they tie, so a
    # second mention of oven decides: [[4, 2], [2, 2]] has λ = 3 + √5 and u = (.851, .526).
    strategy = Hcla(k=1, columns="raw", corpus_until=1).fit(topic)
    strategy.learn(visit_of("oven oven <a href=/5></a>", topic, number=0, links=[5]))
    along = np.array([(1 + np.sqrt(5)) / 2, 1]) / np.hypot((1 + np.sqrt(5)) / 2, 1)
    assert strategy.rank(Waiting([5])).tolist() == pytest.approx([(1 + along[0]) / 2])


def test_waiting_urls_as_queries_are_no_part_of_the_space(toy):
    # HCLA §6: eq. 19 with a column of D for the query and the corpus' columns for documents, in
    # the space of [[A_k; 0] | D] without the waiting URLs' columns.
    left, singular, right, d = toy
    fetched_only = whole(left, singular, right, d)[:, : DOCUMENTS + FETCHED]
    u, s, v = np.linalg.svd(fetched_only, full_matrices=False)
    documents = ((left * singular) @ right)[:, :3]
    expected = [
        [
            (v[:K, n] * s[:K])
            @ (u[:, :K].T @ query)
            / (np.linalg.norm(s[:K] * v[:K, n]) * np.linalg.norm(query))
            for n in range(3)
        ]
        for query in d.toarray()[:, FETCHED:].T
    ]
    cosines = cosines_with_documents(left * singular, d, K, FETCHED, documents)
    assert cosines == pytest.approx(np.array(expected))


@pytest.mark.parametrize("anchor_text", [False, True])
def test_the_frontier_is_held_against_the_examples(anchor_text):
    # No keyword: URL 5 hangs on a page of bread, as the examples are, URL 6 on one of trains.
    examples = tuple(
        Example(url, parse_html(text, url), relevant)
        for url, text, relevant in (
            ("http://e.test/1", "bread dough", True),
            ("http://e.test/2", "dough oven", True),
            ("http://e.test/3", "signal track", False),
        )
    )
    model = topic_of(training=examples)
    strategy = Hcla(k=2, query="frontier", anchor_text=anchor_text).fit(model)
    assert strategy.queries_.shape == (len(strategy.lsi_.terms_), 2)
    strategy.learn(visit_of("dough bread oven <a href=/5>dough</a>", model, number=0, links=[5]))
    strategy.learn(visit_of("signal engine <a href=/6>track</a>", model, number=1, links=[6]))
    near, far, seed = strategy.rescore(Waiting([5, 6, 7]))
    assert near == 1.0 > far >= seed == 0.0
    assert strategy.needed() == {Need.EXAMPLES, Need.CORPUS} and strategy.reads_examples()


def test_the_frontier_and_the_examples_are_two_ways_to_ask():
    # As queries of a space of the corpus alone the examples rank the two URLs; held against the
    # frontier they are documents of the space themselves, so that it has more columns and other
    # cosines.
    examples = tuple(
        Example(url, parse_html(text, url), True)
        for url, text in (("http://e.test/1", "bread dough"), ("http://e.test/2", "dough track"))
    )
    model = topic_of(training=examples)
    scores = {}
    for query in ("examples", "frontier"):
        strategy = Hcla(k=2, query=query).fit(model)
        strategy.learn(visit_of("dough bread oven <a href=/5>x</a>", model, number=0, links=[5]))
        strategy.learn(visit_of("signal track dough <a href=/6>x</a>", model, number=1, links=[6]))
        scores[query] = strategy.rescore(Waiting([5, 6]))
    assert np.abs(scores["examples"] - scores["frontier"]).max() > 0.01

from __future__ import annotations

import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies.taxonomy_baseline import TaxonomyBaseline
from apps.engine.intelligence.taxonomy import at_or_below, merge, prefixes, prune
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import parse_html
from apps.engine.topics import Taxonomy, Topic
from tests.engine.intelligence.strategies.toy import visit_of


def topic_of(pages: dict[str, list[str]], focus: str) -> TopicModel:
    documents = tuple(
        (name, parse_html(text, f"http://{name.strip('/')}.test/{i}"))
        for name, texts in pages.items()
        for i, text in enumerate(texts)
    )
    return TopicModel(Topic("t", language="en", taxonomy=Taxonomy(documents, focus)))


def test_small_leaves_give_their_pages_to_their_parents():
    # k = 2. /A/x has 1 page, goes to /A; /A/y has 2 and stays; /A keeps 1 + 1 pages in Other.
    # /B/z/deep (1) goes to /B/z (1 + 1 = 2), which then is a leaf of 2 and stays.
    classes = ["/A", "/A/x", "/A/y", "/A/y", "/B/z/deep", "/B/z"]
    assert prune(classes, 2, 300, 0) == {"/A/Other": [0, 1], "/A/y": [2, 3], "/B/z": [4, 5]}


def test_the_counts_of_the_directory_decide_what_is_merged():
    # k = 3. By the pages at hand all would be merged; in the directory only /B/z (2) is too small,
    # and /B then has 2 + 1 of its own, which is enough for a leaf.
    classes = ["/A/x", "/A/y", "/B", "/B/z"]
    sizes = {"/A/x": 3, "/A/y": 30, "/B": 1, "/B/z": 2}
    assert merge(sizes, 3) == {"/A/x": "/A/x", "/A/y": "/A/y", "/B": "/B", "/B/z": "/B"}
    assert prune(classes, 3, 300, 0, sizes) == {"/A/x": [0], "/A/y": [1], "/B": [2, 3]}
    assert prune(classes, 3, 300, 0) == {"/": [0, 1, 2, 3]}


def test_a_class_that_is_kept_is_never_merged():
    assert merge({"/A/x": 1, "/A/y": 1}, 2, keep="/A/x") == {"/A/x": "/A/x", "/A/y": "/A"}


def test_large_leaves_are_sampled_down_the_same_way_each_time():
    leaves = prune(["/A"] * 10 + ["/B"] * 3, 2, 4, seed=5)
    assert [len(pages) for pages in leaves.values()] == [4, 3]
    assert leaves == prune(["/A"] * 10 + ["/B"] * 3, 2, 4, seed=5)
    assert set(leaves["/A"]) <= set(range(10))


def test_what_no_class_can_hold_goes_to_the_root():
    assert prune(["/A/x", "/B"], 3, 300, 0) == {"/": [0, 1]}


def test_names_know_their_classes_above():
    assert prefixes("/Food/Bread") == ("/", "/Food", "/Food/Bread")
    assert at_or_below("/Food/Bread", "/Food") and at_or_below("/Food", "/Food")
    assert not at_or_below("/Foodstuff", "/Food")


def test_naive_bayes_by_hand():
    # Two classes of one page each: /Food "bread oven", /Rail "signal signal track".
    # |T| = 4: θ(bread|Food) = (1 + 1)/(4 + 2) = 1/3, θ(bread|Rail) = 1/(4 + 3) = 1/7;
    # θ(signal|Food) = 1/6, θ(signal|Rail) = 3/7. "bread bread signal", equal priors:
    # Food (1/3)²·1/6 = .018519, Rail (1/7)²·3/7 = .008746; P(Food) = .6792.
    topic = topic_of({"/Food": ["bread oven"], "/Rail": ["signal signal track"]}, "/Food")
    strategy = TaxonomyBaseline(least=1).fit(topic)
    food, rail = (1 / 3) ** 2 / 6, (1 / 7) ** 2 * 3 / 7
    message = strategy.judge(visit_of("bread bread signal zebra", topic))
    assert message.topicality == pytest.approx(food / (food + rail), rel=1e-6)
    assert message.topicality == pytest.approx(0.6792, abs=1e-4)


def test_all_leaves_at_or_below_the_class_count():
    pages = {"/Food/Bread": ["bread oven"], "/Food/Fish": ["salmon river"], "/Rail": ["signal"]}
    topic = topic_of(pages, "/Food")
    strategy = TaxonomyBaseline(least=1).fit(topic)
    shares = strategy.classifier_.probabilities(visit_of("bread", topic).page().ids)
    message = strategy.judge(visit_of("bread", topic))
    assert message.topicality == pytest.approx(shares[0] + shares[1])
    assert strategy.score_links(
        visit_of("bread <a href=/a></a>", topic, topicality=0.7)
    ).tolist() == [0.7]


def test_no_class_needs_more_pages_than_the_topic_has():
    # The topic has 1 page, so that k = 300 becomes 1 and every class stays.
    topic = topic_of({"/Food": ["bread"], "/Rail": ["signal"] * 3, "/Sea": ["fish"] * 3}, "/Food")
    assert TaxonomyBaseline().fit(topic).classifier_.names == ("/Food", "/Rail", "/Sea")
    # With 2 pages of its own, /Sea (1) goes to the root, whose pages are the leaf /Other.
    small = topic_of({"/Food": ["bread"] * 2, "/Sea": ["fish"], "/": ["sky"]}, "/Food")
    assert TaxonomyBaseline().fit(small).classifier_.names == ("/Food", "/Other")


def test_a_class_that_is_called_other_keeps_its_pages():
    assert prune(["/A", "/A", "/Other", "/Other", "/"], 2, 300, 0) == {
        "/A": [0, 1],
        "/Other": [2, 3, 4],
    }


def test_without_another_class_it_reports_that():
    with pytest.raises(NeedsMissing, match="fewer than two classes"):
        TaxonomyBaseline().fit(topic_of({"/Food": ["bread"] * 3}, "/Food"))


def test_a_class_without_pages_is_named():
    topic = topic_of({"/Rail": ["signal"] * 3, "/Sea": ["fish"] * 3}, "/Food")
    with pytest.raises(NeedsMissing, match="the class /Food has fewer than 1 page"):
        TaxonomyBaseline(least=2).fit(topic)

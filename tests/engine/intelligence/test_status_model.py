from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.status_model import StatusModel, features, term_idf
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.topics import Example

NO_IDF = np.zeros(1)


def inlink_corpus(rng, make_page, count=40):
    """Positive examples whose in-links grow with their words and links and fall with depth."""
    examples, tokens, inlinks = [], [], {}
    for i in range(count):
        words, links, depth = (int(n) for n in rng.integers([20, 0, 0], [600, 60, 5]))
        url = f"http://h{i}.test/" + "d/" * depth + "page.html"
        examples.append(Example(url, make_page(url, ["word"] * words, links), True))
        tokens.append(np.zeros(words, np.int32))
        log = 0.8 * math.log1p(links) - depth + 0.5 * math.log1p(words) + rng.normal(0, 0.2)
        inlinks[url] = max(0, round(math.expm1(log)))
    return examples, tokens, inlinks


def test_the_seven_features_by_hand(make_page):
    """Five words, one of them stopped: volume 4, depth 2, two links, one number, rank 500."""
    document = make_page("http://www.shop.example.co.uk/a/b/c.html", list("vwxyz"), 2, numbers=1)
    tokens = np.array([0, 0, 1, -1, 7], np.int32)
    idf = np.array([0.5, 2.0, 3.0])
    values = features(document, tokens, document.url, idf, {"example.co.uk": 500})
    expected = [
        math.log(1 + 4),
        math.log(1 + 2),
        (0.5 + 2.0 + 3.0) / 3,
        math.log(1 + 2),
        math.log(1 + 2 / 5),
        math.log(1 + 1 / 5),
        math.log(1 + 1e6 / 500),
    ]
    assert values == pytest.approx(expected)


def test_specificity_takes_the_ten_terms_of_highest_tf_idf(make_page):
    """Twelve terms: token 0 has idf 1 but occurs often, tokens 1 and 2 weigh least."""
    tokens = np.array([*[0] * 9, *range(1, 12)], np.int32)
    idf = np.array([1.0, 0.1, 0.2, *[3.0] * 9, 0.0])
    document = make_page("http://a.test/", ["word"] * 20)
    specificity = features(document, tokens, "http://a.test/", idf, {})[2]
    assert specificity == pytest.approx((1 + 9 * 3) / 10)


def test_the_host_counts_before_its_domain_and_unknown_traffic_is_none(make_page):
    document = make_page("http://www.example.org/", [])
    traffic = {"www.example.org": 10, "example.org": 1000}
    reach = features(document, np.empty(0, np.int32), document.url, NO_IDF, traffic)[6]
    assert reach == pytest.approx(math.log(1 + 1e5))
    other = features(document, np.empty(0, np.int32), "http://other.test/", NO_IDF, traffic)
    assert other.tolist() == [0.0] * 7


def test_words_behind_the_visible_ones_do_not_count(make_page):
    document = make_page("http://a.test/", ["word"])
    longer = np.array([0, 5, 5], np.int32)
    assert features(document, longer, "http://a.test/", NO_IDF, {})[0] == pytest.approx(math.log(2))


def test_idf_over_the_collection_has_an_entry_for_terms_it_lacks():
    rows = TokenRows.of([np.array(text, np.int32) for text in ([0, 0, 1], [0])])
    assert term_idf(rows, 3) == pytest.approx([0, math.log(3 / 2), math.log(3), math.log(3)])


def test_it_ranks_unseen_pages_by_their_in_links_and_beats_the_mean(make_page):
    rng = np.random.default_rng(8)
    model = StatusModel(NO_IDF, {}).fit(*inlink_corpus(rng, make_page))
    examples, tokens, inlinks = inlink_corpus(rng, make_page, 80)
    truth = np.log1p([inlinks[example.url] for example in examples])
    message = np.array(
        [
            model.predict_log(model.features(example.document, encoded, example.url))
            for example, encoded in zip(examples, tokens, strict=True)
        ]
    )
    assert np.corrcoef(message.argsort().argsort(), truth.argsort().argsort())[0, 1] > 0.7
    assert np.abs(message - truth).mean() < 0.7 * np.abs(truth - truth.mean()).mean()


def test_status_is_a_half_at_the_median_prediction(make_page):
    rng = np.random.default_rng(8)
    examples, tokens, inlinks = inlink_corpus(rng, make_page)
    model = StatusModel(NO_IDF, {}).fit(examples, tokens, inlinks)
    statuses = [
        model.status(model.predict_log(model.features(example.document, encoded, example.url)))
        for example, encoded in zip(examples, tokens, strict=True)
    ]
    assert np.median(statuses) == pytest.approx(0.5)
    assert model.status(model.theta_ + 1) == pytest.approx(1 / (1 + math.exp(-1)))


def test_it_learns_from_positive_examples_with_known_in_links_alone(make_page):
    rng = np.random.default_rng(8)
    examples, tokens, inlinks = inlink_corpus(rng, make_page, 8)
    examples[0] = Example(examples[0].url, examples[0].document, relevant=False)
    del inlinks[examples[1].url]
    model = StatusModel(NO_IDF, {}).fit(examples, tokens, inlinks)
    assert model.examples_ == 6
    assert model.describe().startswith("Learned from 6 examples; status is 0.5 at ")


def test_it_needs_four_of_them(make_page):
    examples, tokens, inlinks = inlink_corpus(np.random.default_rng(8), make_page, 3)
    with pytest.raises(NeedsMissing) as raised:
        StatusModel(NO_IDF, {}).fit(examples, tokens, inlinks)
    assert raised.value.need == "inlinks"


def test_in_links_may_be_known_by_the_address_that_answered(make_topic):
    topic = make_topic()
    inlinks = {example.document.url: i for i, example in enumerate(topic.training)}
    assert TopicModel(make_topic(inlinks=inlinks)).status_model().examples_ == 8

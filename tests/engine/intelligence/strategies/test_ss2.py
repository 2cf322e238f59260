from __future__ import annotations

import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies.ss2 import Ss2
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import parse_html
from apps.engine.topics import Topic
from tests.engine.intelligence.strategies.toy import Waiting, visit_of


def corpus(*texts):
    return tuple(parse_html(text, f"http://corpus.test/{i}") for i, text in enumerate(texts))


def test_pages_are_compared_with_the_documents_that_answer_the_query():
    # The query "bread" finds the one document with bread: bread zebra. A page that says zebra
    # (never the keyword) resembles it; a page that says lemon does not.
    topic = TopicModel(
        Topic(
            "t",
            language="en",
            keywords=("bread",),
            corpus=corpus("bread zebra", "lemon river", "lemon garden"),
        )
    )
    strategy = Ss2(samples=2, reorders_every=2).fit(topic)
    strategy.learn(visit_of("zebra <a href=/5></a>", topic, number=0, links=[5]))
    strategy.learn(visit_of("lemon <a href=/6></a>", topic, number=1, links=[6]))
    # Both terms of the one answer occur in 1 of 3 documents of equal length and weigh the same,
    # so cos(zebra) = 1/√2; lemon 0. Divided by the largest.
    assert strategy.explain(visit_of("zebra", topic), 0)["cos(u, q)"] == pytest.approx(0.5**0.5)
    assert strategy.rescore(Waiting([5, 6])).tolist() == pytest.approx([1.0, 0.0])


def test_a_corpus_that_never_says_the_keywords_is_refused():
    topic = TopicModel(Topic("t", language="en", keywords=("bread",), corpus=corpus("lemon")))
    with pytest.raises(NeedsMissing, match="keyword"):
        Ss2().fit(topic)

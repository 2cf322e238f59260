from __future__ import annotations

import json

import numpy as np

from apps.demo.topic import DEMO_TOPIC, draw_topic
from apps.demo.web import DemoWeb
from apps.engine.intelligence.status_model import features
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import Document, parse
from apps.engine.topics import Example, Topic


def test_the_lists_are_disjoint_and_truly_labelled(demo_web):
    topic = draw_topic(demo_web, 4)
    lists = (
        topic.seeds,
        topic.positives,
        topic.negatives,
        topic.evaluation_positives,
        topic.evaluation_negatives,
        topic.targets,
    )
    assert [len(urls) for urls in lists] == [20, 30, 60, 30, 60, 150]
    assert len({url for urls in lists for url in urls}) == sum(map(len, lists))
    for urls in (topic.positives, topic.evaluation_positives, topic.targets, topic.seeds[5:]):
        assert all(demo_web.labels(url) == (DEMO_TOPIC,) for url in urls)
    for urls in (topic.negatives, topic.evaluation_negatives):
        assert all(DEMO_TOPIC not in demo_web.labels(url) for url in urls)
    assert {label for url in topic.negatives for label in demo_web.labels(url)} == (
        set(demo_web.topics) - {DEMO_TOPIC}
    )


def test_it_depends_on_both_seeds_only(demo_web):
    assert draw_topic(demo_web, 4) == draw_topic(DemoWeb(1), 4)
    assert draw_topic(demo_web, 4).seeds != draw_topic(demo_web, 5).seeds


def test_its_json_has_the_form_that_is_imported(demo_web):
    topic = json.loads(json.dumps(draw_topic(demo_web).as_json()))
    assert set(topic) == {
        "name",
        "keywords",
        "language",
        "seeds",
        "positives",
        "negatives",
        "targets",
        "evaluation",
        "inlinks",
        "web_label",
    }
    assert set(topic["evaluation"]) == {"positives", "negatives"}
    assert topic["inlinks"] == dict(demo_web.inlinks())
    assert topic["web_label"] == topic["name"] == DEMO_TOPIC


def _documents(web: DemoWeb, urls: tuple[str, ...]) -> list[Document]:
    return [parse(read(web, url)) for url in urls]


def _model(web: DemoWeb) -> TopicModel:
    drawn = draw_topic(web)
    training = tuple(
        Example(url, parse(read(web, url)), relevant)
        for urls, relevant in ((drawn.positives, True), (drawn.negatives, False))
        for url in urls
    )
    return TopicModel(
        Topic(drawn.name, language="en", training=training, inlinks=dict(drawn.inlinks))
    )


def test_the_examples_teach_topic_and_status_well_but_not_perfectly(demo_web):
    model = _model(demo_web)
    urls = list(demo_web.urls())
    chosen = np.random.default_rng(9).choice(len(urls), 500, replace=False)
    urls = tuple(urls[i] for i in chosen)
    documents = _documents(demo_web, urls)
    tokens = [model.vocabulary.encode(document.words) for document in documents]
    texts = TokenRows.of(
        [ids[: document.visible] for ids, document in zip(tokens, documents, strict=True)]
    )
    relevant = np.array([DEMO_TOPIC in demo_web.labels(url) for url in urls])
    message = model.classifier().probabilities(texts) > 0.5
    balanced = (message[relevant].mean() + 2 * (~message[~relevant]).mean()) / 3
    assert 0.85 < balanced < 0.985

    status = model.status_model()
    counts = dict(demo_web.inlinks())
    predicted = [
        status.predict_log(features(document, ids, url, status.idf, {}))
        for document, ids, url in zip(documents, tokens, urls, strict=True)
    ]
    ranks = [np.argsort(np.argsort(values)) for values in (predicted, [counts[u] for u in urls])]
    assert np.corrcoef(*ranks)[0, 1] > 0.4

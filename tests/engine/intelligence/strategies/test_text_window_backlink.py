from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies.text_window_backlink import TextWindowBacklink
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import parse_html
from tests.engine.intelligence.strategies.toy import rich_topic, visit_of


def test_it_learns_from_windows_round_links_to_the_examples():
    # Every back-link says "zebra" round links to bread pages and "lemon" round links to rail
    # pages; no example says either. Only a classifier that has read the windows can tell them.
    topic = rich_topic()
    pages = tuple(
        parse_html(f"<p>{word} {word} <a href='{e.url}'>here</a> {word} {i} paper</p>",
                   f"http://lists.test/{i}")
        for i, e in enumerate(topic.training) for word in ["zebra" if e.relevant else "lemon"])
    model = TopicModel(replace(topic, backlinks=pages), seed=1)
    strategy = TextWindowBacklink(window=4).fit(model)
    page = ("<p>zebra <a href=/a>here</a></p><p>garden garden garden</p>"
            "<p>lemon <a href=/b>x</a></p>")
    zebra, lemon = strategy.score_links(visit_of(page, model))
    assert zebra > 0.5 > lemon


def test_training_sets_are_as_large_as_the_other_crawlers(monkeypatch):
    # 8 positive pages: 8 windows for the topic of the 8·2 there are, 16 against it.
    topic = rich_topic()
    pages = tuple(
        parse_html(f"<p>paper <a href='{e.url}'>here</a> {n}</p>", f"http://lists.test/{i}/{n}")
        for i, e in enumerate(topic.training) for n in range(2))
    sizes = []
    from apps.engine.intelligence.strategies import text_window_backlink as module

    class Spy(module.TextClassifier):
        def fit(self, rows, labels, weights=None, background=None):
            sizes.append((len(rows), int(np.sum(labels))))
            return super().fit(rows, labels, weights, background)

    monkeypatch.setattr(module, "TextClassifier", Spy)
    TextWindowBacklink().fit(TopicModel(replace(topic, backlinks=pages), seed=1))
    assert sizes == [(24, 8)]


def test_pages_without_links_to_the_examples_are_not_enough():
    page = parse_html("<a href='http://nowhere.test/'>x</a>", "http://lists.test/")
    with pytest.raises(NeedsMissing, match="links to the positive and the negative"):
        TextWindowBacklink().fit(TopicModel(replace(rich_topic(), backlinks=(page,))))


def test_links_to_where_an_example_was_redirected_count_as_links_to_it():
    topic = rich_topic()
    moved = tuple(replace(e, url=f"http://old.test/{i}") for i, e in enumerate(topic.training))
    pages = tuple(
        parse_html(f"<p>paper <a href='{e.document.url}'>here</a></p>", f"http://lists.test/{i}")
        for i, e in enumerate(topic.training))
    model = TopicModel(replace(topic, training=moved, backlinks=pages), seed=1)
    assert TextWindowBacklink().fit(model).window_classifier_ is not None


def test_mirrors_of_the_directory_teach_nothing():
    # LC §10.4: of the three pages the two whose URL names the directory are left out.
    topic = rich_topic()
    hosts = ("http://dmoz.mirror.test", "http://directory.Google.com/Top", "http://lists.test")
    pages = tuple(
        parse_html(f"<p>{word} <a href='{e.url}'>x</a></p>", f"{host}/{i}")
        for word, host in zip(("mirror", "mirror", "honest"), hosts, strict=True)
        for i, e in enumerate(topic.training))
    model = TopicModel(replace(topic, backlinks=pages), seed=1)
    strategy = TextWindowBacklink().fit(model)
    windows = strategy._windows(model, list(topic.training))
    assert len(windows) == len(topic.training)
    honest, mirror = model.vocabulary.encode(["honest", "mirror"])
    assert all(honest in window and mirror not in window for window in windows)

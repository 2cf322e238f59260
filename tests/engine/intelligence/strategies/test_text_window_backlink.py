from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies import text_window_backlink as module
from apps.engine.intelligence.strategies.text_window_backlink import TextWindowBacklink
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import parse_html
from apps.engine.topics import Topic
from tests.engine.intelligence.strategies.toy import rich_topic, visit_of


def test_it_learns_from_windows_round_links_to_the_examples():
    # Every back-link says "zebra" round links to bread pages and "lemon" round links to rail
    # pages; no example says either. Only a classifier that has read the windows can tell them.
    topic = rich_topic()
    pages = tuple(
        parse_html(
            f"<p>{word} {word} <a href='{e.url}'>here</a> {word} {i} paper</p>",
            f"http://lists.test/{i}",
        )
        for i, e in enumerate(topic.training)
        for word in ["zebra" if e.relevant else "lemon"]
    )
    model = TopicModel(replace(topic, backlinks=pages), seed=1)
    strategy = TextWindowBacklink(window=4).fit(model)
    page = (
        "<p>zebra <a href=/a>here</a></p><p>garden garden garden</p><p>lemon <a href=/b>x</a></p>"
    )
    zebra, lemon = strategy.score_links(visit_of(page, model))
    assert zebra > 0.5 > lemon


def sizes(monkeypatch, topic: Topic) -> tuple[int, int]:
    """How many windows for the topic its classifier learns from, and how many against it."""
    counts = []

    class Spy(module.TextClassifier):
        def fit(self, rows, labels, weights=None, idf_texts=None):
            counts.append((int(np.sum(labels)), len(rows) - int(np.sum(labels))))
            return super().fit(rows, labels, weights, idf_texts)

    monkeypatch.setattr(module, "TextClassifier", Spy)
    TextWindowBacklink().fit(TopicModel(topic, seed=1))
    return counts[0]


def back_links(urls, times: int = 1, word: str = "paper"):
    """Pages that link to these URLs, so many to each."""
    return tuple(
        parse_html(
            f"<p>{word} <a href='{url}'>here</a> {n}</p>", f"http://lists.test/{word}{i}/{n}"
        )
        for i, url in enumerate(urls)
        for n in range(times)
    )


def test_training_sets_are_as_large_as_the_other_crawlers(monkeypatch):
    # 8 positive pages: 8 windows for the topic of the 8·2 there are, 16 against it.
    topic = rich_topic()
    pages = back_links([e.url for e in topic.training], times=2)
    assert sizes(monkeypatch, replace(topic, backlinks=pages)) == (8, 16)


def test_there_are_twice_as_many_windows_against_it_as_for_it(monkeypatch):
    # LC §10.4: links to 3 of the 8 positive pages are known, so 6 of the 16 others count.
    topic = rich_topic()
    relevant = [e.url for e in topic.training if e.relevant][:3]
    rest = [e.url for e in topic.training if not e.relevant]
    pages = (*back_links(relevant), *back_links(rest, times=2))
    assert sizes(monkeypatch, replace(topic, backlinks=pages)) == (3, 6)


def test_windows_against_it_come_from_all_other_topics_examples(monkeypatch):
    # Nothing links to the topic's own negatives; two lists link to pages of other topics.
    topic = rich_topic()
    others = [(f"http://other.test/{i}", f"http://answered.test/{i}") for i in range(20)]
    pages = (
        *back_links([e.url for e in topic.training if e.relevant]),
        *back_links([answered for _, answered in others], word="lemon"),
    )
    reports = replace(topic, backlinks=pages, other_positives=tuple(others))
    assert sizes(monkeypatch, reports) == (8, 16)
    model = TopicModel(reports, seed=1)
    strategy = TextWindowBacklink(window=2).fit(model)
    page = "<p>paper <a href=/a>here</a></p><p>garden</p><p>lemon <a href=/b>here</a></p>"
    paper, lemon = strategy.score_links(visit_of(page, model))
    assert paper > 0.5 > lemon


def test_pages_without_links_to_the_examples_are_not_enough():
    page = parse_html("<a href='http://nowhere.test/'>x</a>", "http://lists.test/")
    with pytest.raises(NeedsMissing, match="links to the positive and the negative"):
        TextWindowBacklink().fit(TopicModel(replace(rich_topic(), backlinks=(page,))))


def test_links_to_where_an_example_was_redirected_count_as_links_to_it():
    topic = rich_topic()
    moved = tuple(replace(e, url=f"http://old.test/{i}") for i, e in enumerate(topic.training))
    pages = tuple(
        parse_html(f"<p>paper <a href='{e.document.url}'>here</a></p>", f"http://lists.test/{i}")
        for i, e in enumerate(topic.training)
    )
    model = TopicModel(replace(topic, training=moved, backlinks=pages), seed=1)
    assert TextWindowBacklink().fit(model).window_classifier_ is not None


def test_mirrors_of_the_directory_teach_nothing():
    # LC §10.4: of the three pages the two whose URL names the directory are left out.
    topic = rich_topic()
    hosts = ("http://dmoz.mirror.test", "http://directory.Google.com/Top", "http://lists.test")
    pages = tuple(
        parse_html(f"<p>{word} <a href='{e.url}'>x</a></p>", f"{host}/{i}")
        for word, host in zip(("mirror", "mirror", "honest"), hosts, strict=True)
        for i, e in enumerate(topic.training)
    )
    model = TopicModel(replace(topic, backlinks=pages), seed=1)
    strategy = TextWindowBacklink().fit(model)
    windows = strategy._windows(model, [(example.url,) for example in topic.training])
    assert len(windows) == len(topic.training)
    honest, mirror = model.vocabulary.encode(["honest", "mirror"])
    assert all(honest in window and mirror not in window for window in windows)

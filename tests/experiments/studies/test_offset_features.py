"""What features beside words add to the apprentice, on links whose answer is known (AFC §3.8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import parse_html
from apps.engine.topics import CrawledPage
from apps.experiments.studies.offset_features import effects, lesson
from tests.engine.intelligence.strategies.toy import rich_topic

FAR = "<hr>" * 12
TEXTS = {"bread": "bread oven dough loaf flour", "rail": "signal track engine railway boiler"}


def accuracy(*pages: tuple[str, str]) -> dict[str, float]:
    """The held-out accuracy with each kind of features, of a crawl of these pages."""
    earlier = tuple(CrawledPage(url, parse_html(html, url)) for url, html in pages)
    model = TopicModel(replace(rich_topic(), earlier=earlier), seed=1)
    return {each.features: each.validation.average for each in effects(model)}


def targets() -> list[tuple[str, str]]:
    """Twelve pages on bread, which the critic likes, and twelve on rail."""
    return [
        (f"http://a.test/{kind}/{n}", f"<p>{text}</p>")
        for kind, text in TEXTS.items()
        for n in range(12)
    ]


def test_classes_use_what_stands_too_far_from_the_link():
    # Every anchor says "garden" and nothing else is near it; the page's text, far away, is of the
    # same class as what it links to. Words alone know nothing: one of two labels is right.
    sources = [
        (
            f"http://a.test/from/{kind}/{n}",
            f"<p>{text}</p>{FAR}<a href='http://a.test/{kind}/{n}'>garden</a>",
        )
        for kind, text in TEXTS.items()
        for n in range(12)
    ]
    accuracies = accuracy(*sources, *targets())
    assert accuracies["words alone"] <= 0.5
    assert accuracies["and classes of the page"] == accuracies["and classes with all above"] == 1.0


def test_co_citation_predicts_a_link_beside_a_labelled_one():
    # Each page has two links to pages of one kind, side by side, and no word that tells which.
    sources = [
        (
            f"http://a.test/from/{kind}/{n}",
            f"<a href='http://a.test/{kind}/{n}'>garden</a>"
            f"<a href='http://a.test/{kind}/{(n + 1) % 12}'>letter</a>",
        )
        for kind in TEXTS
        for n in range(12)
    ]
    accuracies = accuracy(*sources, *targets())
    assert accuracies["words alone"] <= 0.5
    assert accuracies["and co-citation"] == 1.0


def test_links_teach_whose_both_ends_were_fetched():
    page = "<a href='http://a.test/bread/1'>garden</a><a href='http://else.test/'>letter</a>"
    earlier = tuple(
        CrawledPage(url, parse_html(html, url))
        for url, html in [("http://a.test/from", page), *targets()]
    )
    model = TopicModel(replace(rich_topic(), earlier=earlier), seed=1)
    assert lesson(model).links == 1
    assert lesson(model).features.target.size == 2


@pytest.mark.parametrize("offsets", [True, False])
def test_words_without_offsets_stand_at_one_place(offsets):
    page = "<p>loaf</p><a href='http://a.test/bread/1'>garden</a><p>river</p>"
    earlier = tuple(
        CrawledPage(url, parse_html(html, url))
        for url, html in [("http://a.test/from", page), *targets()]
    )
    model = TopicModel(replace(rich_topic(), earlier=earlier), seed=1)
    assert set(lesson(model, 1, offsets).features.offset.tolist()) == (
        {0, 1, 2} if offsets else {0}
    )

"""A topic of two languages: every page is read in its own."""

from __future__ import annotations

import numpy as np
import pytest

from apps.engine.answers import Answer
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher, read
from apps.engine.parsing.document import parse
from apps.engine.topics import Example, Topic

STEMS = {
    ("en", True): "bake knead ferment crust prove".split(),
    ("en", False): "rail signal platform engine steam".split(),
    ("de", True): "krust teig mehl ofen hefe".split(),
    ("de", False): "bahn gleis signal wagen dampf".split(),
}
ENDINGS = {"en": ("s", "ed", "ing"), "de": ("en", "er", "es")}
GLUE = {
    "en": "the of and in it is that for with on this was".split(),
    "de": "die der und das ist nicht mit auf ein dem sich auch".split(),
}
PAGES = 12
"""Of each language and kind; the first four are examples."""


class TwoLanguages:
    """Pages on bread and on railways in English and in German. Each ends all its words in one of
    three ways, examples in the first. A home page links to every first page, each page to the next
    one of its language and kind, every third to one of the other kind."""

    def __init__(self) -> None:
        self.hosts = frozenset(("h.test",))
        self.pages = {
            self.url(*kind, i): self.page(*kind, i) for kind in STEMS for i in range(PAGES)
        }
        links = " ".join(self.link(*kind, 4) for kind in STEMS)
        self.pages["http://h.test/"] = f"<p>{links}</p>"
        self.count = len(self.pages)

    @staticmethod
    def url(language: str, relevant: bool, i: int) -> str:
        return f"http://h.test/{language}{int(relevant)}x{i}"

    def link(self, *parts: object) -> str:
        return f"<a href='{self.url(*parts)}'>1</a>"

    def page(self, language: str, relevant: bool, i: int) -> str:
        ending = ENDINGS[language][0 if i < 4 else i % 3]
        about = [stem + ending for stem in STEMS[language, relevant]]
        glue = GLUE[language]
        text = " ".join(
            f"{glue[(i + j) % 12]} {word} {glue[(i + 5 * j) % 12]}"
            for j, word in enumerate(about * 2)
        )
        across = "" if i % 3 else self.link(language, not relevant, i)
        links = f"{self.link(language, relevant, i + 1)} {across}"
        return f"<html><body><p>{text} {links}</p></body></html>"

    def urls(self):
        return iter(self.pages)

    def labels(self, url: str) -> tuple[str, ...]:
        return ()

    def get(self, url: str) -> Answer:
        if url not in self.pages:
            return Answer(url, url, 404, failure="http_404")
        return Answer(url, url, 200, (("Content-Type", "text/html"),), self.pages[url].encode())


def topic_of(web: TwoLanguages, language: str | None) -> Topic:
    examples = tuple(
        Example(web.url(*kind, i), parse(read(web, web.url(*kind, i))), kind[1])
        for kind in STEMS
        for i in range(4)
    )
    return Topic(
        "bread",
        language=language,
        keywords=("baking", "Teiges"),
        training=examples,
        seeds=("http://h.test/",),
    )


@pytest.fixture(scope="module")
def web() -> TwoLanguages:
    return TwoLanguages()


def chances(model: TopicModel, web: TwoLanguages, language: str, relevant: bool) -> np.ndarray:
    """P(c|u) of the pages whose words end as those of no example do."""
    urls = [web.url(language, relevant, i) for i in range(4, PAGES) if i % 3]
    visits = [model.tokens(parse(read(web, url))) for url in urls]
    return model.classifier().probabilities(TokenRows.of(visits))


def test_words_of_both_languages_are_stemmed_and_their_stop_words_dropped(web):
    model = TopicModel(topic_of(web, "en de"), seed=1)
    terms = [model.vocabulary.word(token) for token in range(len(model.vocabulary))]
    assert not set(terms) & {*GLUE["en"], *GLUE["de"]}
    assert {"bake", "knead", "krust", "teig"} <= set(terms)
    for language in ("en", "de"):
        on, off = (chances(model, web, language, relevant) for relevant in (True, False))
        assert on.min() > off.max() + 0.3
    alone = TopicModel(topic_of(web, "en"), seed=1)
    on, off = (chances(alone, web, "de", relevant) for relevant in (True, False))
    assert on.min() < off.max() + 0.3  # English stems do not make German words alike


def test_its_languages_are_detected_if_none_is_given(web):
    assert TopicModel(topic_of(web, None), seed=1).language in ("en de", "de en")


def test_keywords_of_both_languages_count(web):
    model = TopicModel(topic_of(web, "en de"), seed=1)
    words = {model.vocabulary.word(token) for token in model.query().ids}
    assert {"bake", "teig"} <= words


@pytest.mark.parametrize("strategy_id", ["best_first", "full_page", "learner"])
async def test_a_crawl_finds_the_topic_in_both_languages(web, strategy_id):
    plan = Plan(26, 100, politeness=Politeness(delay=0.0), recorded=True)
    crawl = CrawlLoop(
        plan,
        TopicModel(topic_of(web, "en de"), seed=1),
        strategy(strategy_id).build({}),
        RecordedFetcher(web),
    )
    crawl.start()
    urls = [page.answer.final_url async for batch in crawl.run() for page in batch.pages]
    for language in ("en", "de"):
        assert sum(f"/{language}1x" in url for url in urls) == PAGES - 4

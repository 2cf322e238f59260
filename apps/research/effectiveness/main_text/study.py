"""Whether pages are better judged by their main text than by all that is visible: classifiers on
pages whose labels a web has, and crawls by them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from django.contrib.auth.models import User

from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.networking.redirects import follow_recorded
from apps.engine.parsing.main_text import parse_judged
from apps.engine.urls import canonical
from apps.experiments.design.schema import CrawlerDesign
from apps.experiments.models import Experiment
from apps.jobs.bar import progress_bar
from apps.research.effectiveness.crawling import CrawlStudy, StudiedTopic, frozen_experiment
from apps.research.effectiveness.main_text.result import BothTexts
from apps.research.effectiveness.schema import StudyPlan
from apps.research.effectiveness.status.study import crawl_topic
from apps.webs.models import Web
from apps.webs.opening import open_web

PAGES = 300
CLASSIFIER = "F1 of the classifier"
HARVESTS: Mapping[str, str] = MappingProxyType(
    {"Harvest, Full page": "full_page", "Harvest, Learner": "learner"}
)
FIGURES = (CLASSIFIER, *HARVESTS)
MOST_RELEVANT, MOST_OTHERS = 100, 300
"""Pages of each topic that are classified, besides its examples."""
EVEN = 0.5


def text_experiment(
    owner: User, web: Web, plan: StudyPlan, prepare: Callable[[Experiment], None]
) -> Experiment:
    """The draft whose topics are studied. Raises Refused, BadWebFile."""
    designs = tuple(CrawlerDesign(strategy=id) for id in HARVESTS.values())
    return frozen_experiment(
        owner, web, plan, prepare, title="Main text", crawlers=lambda topics: designs
    )


def run_figure(name: str, whole: CrawlStudy, main: CrawlStudy, web: Web) -> BothTexts:
    """A figure of each topic, in both studies. Raises NeedsMissing."""
    measure = _f1_on(web) if name == CLASSIFIER else _harvest_of(HARVESTS[name])
    values = []
    for study in (whole, main):
        bar = progress_bar(study.topics, desc=name, unit="topic", leave=False)
        values.append(tuple(measure(study, topic) for topic in bar))
    return BothTexts(whole=values[0], main=values[1])


def _harvest_of(id: str) -> Callable[[CrawlStudy, StudiedTopic], float]:
    """The share of pages with the topic's label, of those that links led to."""
    return lambda study, topic: crawl_topic(study, topic, strategy(id).build({}))[0]


def _f1_on(web: Web) -> Callable[[CrawlStudy, StudiedTopic], float]:
    opened = open_web(web)

    def f1(study: CrawlStudy, topic: StudiedTopic) -> float:
        model = topic.model.for_another_crawl()
        urls = classified_pages(topic, [*opened.urls()])
        answers = [follow_recorded(url, opened.get) for url in urls]
        texts = [
            model.tokens(parse_judged(answer, model.topic.main_text))
            for answer in answers
            if not answer.failure
        ]
        truth = [
            url in topic.relevant
            for url, answer in zip(urls, answers, strict=True)
            if not answer.failure
        ]
        return f1_of(_guesses(model, texts), truth)

    return f1


def _guesses(model: TopicModel, texts: Sequence[np.ndarray]) -> Sequence[bool]:
    chances = model.classifier().probabilities(TokenRows.of(texts))
    return [bool(chance > EVEN) for chance in chances]


def classified_pages(topic: StudiedTopic, urls: Sequence[str]) -> Sequence[str]:
    """Pages of a web that are not among the topic's examples: of those with its label and of the
    others at most so many, drawn alike at each call."""
    given = topic.model.topic
    examples = {canonical(each.url) or each.url for each in (*given.training, *given.evaluation)}
    left = [url for url in urls if url not in examples]
    random.Random(topic.name).shuffle(left)
    relevant = [url for url in left if url in topic.relevant]
    others = [url for url in left if url not in topic.relevant]
    return [*relevant[:MOST_RELEVANT], *others[:MOST_OTHERS]]


def f1_of(guesses: Sequence[bool], truth: Sequence[bool]) -> float:
    """2 × right ones / (guessed + true ones); 1 if there are neither."""
    right = sum(guess and yes for guess, yes in zip(guesses, truth, strict=True))
    both = sum(guesses) + sum(truth)
    return 2 * right / both if both else 1.0

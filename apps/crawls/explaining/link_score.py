"""Why a URL has its priority: the strategy of the last checkpoint scores its parent again.

Models take a second to build, so those of the last two crawls are cached.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from apps.crawls.commands.labelling.retrain import KIND as LABELS
from apps.crawls.models import Crawl, Label, Outlinks, Page
from apps.crawls.packing import unpack_numbers
from apps.crawls.pages.bodies import stored_answer
from apps.crawls.pages.folder import crawl_folder
from apps.crawls.running.assembly import parameters_as_started, topic_model
from apps.engine import checkpoint
from apps.engine.crawl.page_reader import PageReader
from apps.engine.crawl.relearning.lessons import with_labels
from apps.engine.errors import EngineError, NeedsMissing
from apps.engine.intelligence.classifying.classifiers import TextClassifier
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.terms import TERMS, ScoreTerm
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Spans, Visit
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.main_text import parse_judged
from apps.engine.topics import Example
from apps.stored_files.files import local

WORDS_SHOWN = 60
READ_FOR_THE_EYE = 40


@dataclass(frozen=True, slots=True)
class ScoredWord:
    """A word near the link: its weight in the classifier (None: none), and whether it is in the
    link."""

    text: str
    weight: float | None
    linked: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """How the strategy scores one link on one page.

    `score` is the current value of the formula (None: not queued), `terms` its parts by the paper's
    letters, explained in `legend`; if they add up to its log-odds, `sums_to` names it. `words`
    are those the strategy reads (`reads_words`), or some around the link; `scale` is the weight of
    the strongest term. `basis` is what judged texts, one of the engine's `BASES`.
    """

    formula: str
    terms: Mapping[str, float]
    legend: Mapping[str, ScoreTerm]
    sums_to: str
    score: float | None
    ranks_urls: bool
    reads_words: bool
    words: tuple[ScoredWord, ...]
    scale: float
    basis: str = "examples"


@dataclass(frozen=True, slots=True)
class _Models:
    topic: TopicModel
    strategy: Strategy


_lock = threading.Lock()


def explain(crawl: Crawl, parent: Page, number: int, before: int) -> Explanation:
    """The link from `parent` to URL `number`, scored as just before page `before`.

    The terms of a fetched page are those it was chosen by, if the strategy has kept them.

    Raises EngineError if the topic or the page can no longer be read.
    """
    with _lock, _as_of(crawl, parent, before) as models:
        visit = _visit(crawl, parent, models)
        link = int(np.flatnonzero(visit.link_numbers == number)[0])
        fitted = models.strategy
        scores = np.asarray(fitted.score_links(visit), np.float64)
        spans, terms = _explained(fitted, visit, link)
        chosen = _chosen_by(crawl, fitted, number)
        words, scale = _words(visit, link, spans, _reader_of_words(models))
        return Explanation(
            formula=fitted.formula,
            terms=terms if chosen is None else chosen,
            legend=fitted.legend if isinstance(fitted, Explains) else TERMS,
            sums_to=fitted.sums_to if isinstance(fitted, Explains) else "",
            score=None if np.isnan(scores[link]) else float(scores[link]),
            ranks_urls=fitted.scores == "urls",
            reads_words=spans is not None,
            words=words,
            scale=scale,
            basis=_basis(crawl, fitted, number),
        )


def _explained(fitted: Strategy, visit: Visit, link: int) -> tuple[Spans | None, dict[str, float]]:
    """The words that the strategy reads around the page's links, and the terms of this one."""
    if not isinstance(fitted, Explains):
        return None, {}
    return fitted.context(visit), fitted.explain(visit, link)


def _chosen_by(crawl: Crawl, fitted: Strategy, number: int) -> Mapping[str, float] | None:
    page = crawl.pages_fetched.filter(number=number).first()
    if page is None or not page.telemetry or not isinstance(fitted, Explains):
        return None
    return fitted.chosen_by(page.telemetry)


def _basis(crawl: Crawl, fitted: Strategy, number: int) -> str:
    """The basis by which a page was chosen, or else the one by which the crawl chooses now."""
    page = crawl.pages_fetched.filter(number=number).first()
    if not isinstance(fitted, Explains):
        return "examples"
    return fitted.basis_of(page.telemetry if page else {})


@contextmanager
def _as_of(crawl: Crawl, parent: Page, before: int) -> Iterator[_Models]:
    """The models with the telemetry of when the link was last scored before a page."""
    models = _models(crawl.pk, crawl.checkpoint, _labels_in_force(crawl))
    now = models.strategy.state()
    every = models.strategy.reorders_every
    ranked = (before - 1) // every * every if every else 0
    at = crawl.pages_fetched.filter(seq=max(parent.seq, ranked)).first() or parent
    try:
        if at.telemetry and isinstance(models.strategy, Explains):
            models.strategy.restore_telemetry(at.telemetry)
        yield models
    finally:
        models.strategy.restore(now)


def _labels_in_force(crawl: Crawl) -> tuple[int, ...]:
    last = crawl.events.filter(kind=LABELS).order_by("-seq").first()
    return tuple(last.payload["labels"]) if last else ()


@lru_cache(maxsize=2)
def _models(crawl_id: int, kept: str, labels: tuple[int, ...]) -> _Models:
    """The topic and the strategy as of the checkpoint of that name, or as of the start."""
    crawl = Crawl.objects.get(pk=crawl_id)
    path = local(crawl_folder(crawl.pk) / kept) if kept else None
    topic = topic_model(crawl)
    if path is not None:
        topic.vocabulary.restore(checkpoint.read(path, "vocabulary"))
    if labels:
        examples = [_example(crawl, pk) for pk in labels]
        topic = TopicModel(
            with_labels(topic.topic, examples), topic.vocabulary, topic.seed, topic.trained
        )
    fitted = strategy(crawl.strategy).build(parameters_as_started(crawl)).fit(topic)
    if path is not None:
        fitted.restore(checkpoint.read(path, "strategy"))
    return _Models(topic, fitted)


def _example(crawl: Crawl, label: int) -> Example:
    row = Label.objects.get(pk=label)
    page = Page.every.get(crawl=crawl, seq=row.seq)
    document = parse_judged(stored_answer(crawl, page), crawl.judges_main_text)
    return Example(page.final_url, document, row.relevant)


def _visit(crawl: Crawl, page: Page, models: _Models) -> Visit:
    """The page as the strategy saw it; τ and σ are those of then, unless labels came since."""
    answer = stored_answer(crawl, page)
    reader = PageReader(models.topic, models.strategy, None)
    document = parse_judged(answer, crawl.judges_main_text)
    visit = Visit(
        number=page.seq,
        url=answer.final_url,
        url_number=page.number,
        parent=page.parent,
        depth=page.depth,
        document=document,
        tokens=models.topic.vocabulary.encode(document.words),
        link_numbers=_link_numbers(crawl, page),
        topicality=page.topicality,
        status=page.status,
    )
    if len(visit.link_numbers) != len(visit.links):
        raise EngineError("the page's links are not those that were followed")
    if crawl.events.filter(kind=LABELS, pages__gte=page.seq).exists():
        judged = reader.judge(visit)
        return replace(visit, topicality=judged.topicality, status=judged.status)
    return visit


def _link_numbers(crawl: Crawl, page: Page) -> Any:
    row = Outlinks.objects.get(crawl=crawl, seq=page.seq)
    return unpack_numbers(row.targets).astype(np.int64)


def _reader_of_words(models: _Models) -> TextClassifier | None:
    """The classifier whose weights are shown: the strategy's, or the topic's for illustration."""
    own = getattr(models.strategy, "classifier_", None)
    if isinstance(own, TextClassifier):
        return own
    try:
        return models.topic.classifier()
    except NeedsMissing:
        return None


def _words(
    visit: Visit, link: int, spans: Spans | None, classifier: TextClassifier | None
) -> tuple[tuple[ScoredWord, ...], float]:
    """The words of the link's context with their weights, and the weight of the strongest term."""
    spans = spans or window(visit.document, READ_FOR_THE_EYE)
    positions, linked = _positions(visit, link, spans)
    tokens = visit.tokens[positions]
    weights = np.zeros(len(positions)) if classifier is None else classifier.influence(tokens)
    text = visit.document.words
    words = tuple(
        ScoredWord(text[position], float(weight) if weight else None, position in linked)
        for position, weight in zip(positions.tolist(), weights.tolist(), strict=True)
    )
    top = classifier.top_terms(1) if classifier else None
    strongest = [term.weight for term in (*top.favouring, *top.opposing)] if top else []
    return words, max((abs(weight) for weight in strongest), default=1.0)


def _positions(visit: Visit, link: int, spans: Spans) -> tuple[Any, frozenset[int]]:
    """The positions of the context's words, those nearest to the link if there are too many."""
    links = visit.links
    occurrence = int(np.flatnonzero(links.target == link)[0])
    row = occurrence if spans.rows == len(links.target) else link
    pieces = np.flatnonzero(spans.row == row)
    ranges = [np.arange(spans.start[i], spans.end[i]) for i in pieces]
    positions = np.unique(np.concatenate(ranges)) if ranges else np.empty(0, np.int64)
    start, end = int(links.anchor_start[occurrence]), int(links.anchor_end[occurrence])
    if len(positions) > WORDS_SHOWN:
        nearest = np.argsort(np.abs(positions - (start + end) / 2), kind="stable")[:WORDS_SHOWN]
        positions = np.sort(positions[nearest])
    return positions, frozenset(range(start, end))

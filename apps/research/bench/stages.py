"""The cost of each stage of a page alone, and of reading pages in each script."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from lxml import html
from trafilatura import bare_extraction

from apps.engine.answers import Answer
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse
from apps.main_text.reading import read_article
from apps.research.bench.articles import SCRIPTS, ArticleWeb

WINDOW = 40


def stage_costs(model: TopicModel, answers: Sequence[Answer], folder: Path) -> dict[str, float]:
    """Microseconds of CPU a page of each stage alone, over the same pages. `main_text` is what is
    read of a page when it is indexed, `trafilatura` that library's extraction alone."""
    documents = [parse(answer) for answer in answers]
    tokens = [model.vocabulary.encode(document.words) for document in documents]
    classifier, committee = model.classifier(), model.committee()
    pages = list(zip(tokens, documents, strict=True))
    rows = [TokenRows.gather(ids, window(document, WINDOW, "fill")) for ids, document in pages]
    whole = TokenRows.of([ids[: document.visible] for ids, document in pages])
    frontier = Frontier(Scope(), one_at_a_time=False)
    frontier.seed("http://seed.test/", 0.0)
    store = PageStoreWriter(folder / "stages.warc.gz")

    def queue(i: int) -> None:
        numbers = frontier.discover(documents[i].links.urls, 0)
        frontier.offer(numbers, [0.5] * len(numbers), 0, 0.0)

    stages: dict[str, Callable[[int], object]] = {
        "parse": lambda i: parse(answers[i]),
        "encode": lambda i: model.vocabulary.encode(documents[i].words),
        "contexts": lambda i: window(documents[i], WINDOW, "fill"),
        "score_links": lambda i: classifier.probabilities(rows[i]),
        "queue": queue,
        "archive": lambda i: store.append(answers[i]),
        "main_text": lambda i: read_article(answers[i]),
        "trafilatura": lambda i: bare_extraction(answers[i].body.decode(), answers[i].final_url),
    }
    costs = {name: _cost(stage, len(answers)) for name, stage in stages.items()}
    if committee is not None:
        costs["committee"] = _cost(lambda _: committee.judge(whole), 1) / len(answers)
    store.close()
    return {name: round(cost, 1) for name, cost in costs.items()}


def script_costs(model: TopicModel, pages: int, rounds: int) -> dict[str, float]:
    """What it costs to read a character of a page in each script, its words and the windows of its
    links, beyond libxml2's tree of the page; as a multiple of Latin.

    The scripts come in turn, page by page, so that all find the machine alike. A page and its tree
    count with the least of so many rounds each: a least difference is that to a slow tree."""
    answers = {script: _pages_in(script, pages) for script in SCRIPTS}
    costs = {script: np.empty((rounds, pages, 2)) for script in SCRIPTS}
    for number, page in np.ndindex(rounds, pages):
        for script, of_script in answers.items():
            costs[script][number, page] = _costs_of_page_and_tree(model, of_script[page])
    a_character = {}
    for script, of_script in answers.items():
        whole, tree = costs[script].min(axis=0).sum(axis=0)
        a_character[script] = (whole - tree) / sum(len(each.body.decode()) for each in of_script)
    return {
        script: round(float(cost / a_character["latin"]), 2) for script, cost in a_character.items()
    }


def _pages_in(script: str, pages: int) -> list[Answer]:
    web = ArticleWeb(script)
    return [read(web, url) for url in islice(web.urls(), pages)]


def _costs_of_page_and_tree(model: TopicModel, answer: Answer) -> tuple[float, float]:
    """Seconds of CPU."""
    begun = time.process_time()
    html.document_fromstring(answer.body)
    has_tree = time.process_time()
    _read_page(model, answer)
    return time.process_time() - has_tree, has_tree - begun


def _read_page(model: TopicModel, answer: Answer) -> None:
    document = parse(answer)
    TokenRows.gather(model.vocabulary.encode(document.words), window(document, WINDOW, "fill"))


def _cost(stage: Callable[[int], object], pages: int) -> float:
    """Microseconds of CPU a page."""
    stage(0)
    begun = time.process_time()
    for i in range(pages):
        stage(i)
    return (time.process_time() - begun) / pages * 1e6

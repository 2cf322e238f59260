"""Reads the pages of an experiment's baseline again, of a few topics."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from apps.engine.answers import Answer
from apps.engine.model import Document, Floats
from apps.engine.networking.content import judge
from apps.engine.networking.webs.virtual_web import cut
from apps.engine.parsing.document import parse
from apps.engine.topics import CrawledPage
from apps.engine.topics import Topic as EngineTopic
from apps.experiments.cells.assembly import TopicGone, politeness_of, topic_model
from apps.experiments.cells.live_record import LiveRecord
from apps.experiments.folder import record_folder
from apps.experiments.models import Experiment, ExperimentTopic
from apps.experiments.results.outcomes import Outcome, Outcomes
from apps.stored_files.files import copy_of, is_elsewhere
from apps.webs.opening import open_web

TOPICS = 4
PAGES = 250
ReadPage = Callable[[str], Document | None]


class StudyCancelled(Exception):
    """The study has been cancelled or asked for anew."""


@dataclass(frozen=True, slots=True)
class TopicPages:
    """The first pages that the baseline fetched for a topic, with their texts.

    `critic` is P(c|v) by the classifier that guided the crawl or, if it has none, by the judge;
    `relevant` is by the web's labels where there are any, else by the judge.
    """

    topic: ExperimentTopic
    engine_topic: EngineTopic
    pages: tuple[CrawledPage, ...]
    critic: Floats
    relevant: np.ndarray

    @property
    def seed(self) -> int:
        """A number by which random choices for the topic can be repeated."""
        return self.topic.pk


def cells_read(results: Outcomes) -> list[Outcome]:
    """The baseline's cells that are read: one for each of a few topics, spread evenly."""
    cells = [
        cells[0]
        for (_, crawler), cells in sorted(results.cells.items())
        if crawler == results.baseline
    ]
    indexes = np.unique(np.linspace(0, len(cells) - 1, min(TOPICS, len(cells))).astype(int))
    return [cells[index] for index in indexes]


def read_topics(results: Outcomes, check: Callable[[], None]) -> list[TopicPages]:
    """The pages of those cells; topics that have been deleted are left out.

    `check` is called between pages and may raise. Raises EngineError, BadCheckpoint.
    """
    read = _reader(results)
    return [
        topic
        for cell in cells_read(results)
        if (topic := _topic_pages(results, cell, read, check)) is not None
    ]


def _topic_pages(
    results: Outcomes, cell: Outcome, read: ReadPage, check: Callable[[], None]
) -> TopicPages | None:
    topic = results.topics[cell.topic]
    try:
        engine_topic = topic_model(topic, cell.cell.random_seed).topic
    except TopicGone:
        return None
    result = cell.result
    pages, indexes = [], []
    for index, url in enumerate(result.pages.urls[:PAGES]):
        check()
        document = read(url)
        if document is not None:
            pages.append(CrawledPage(url, document))
            indexes.append(index)
    numbers, flags = result.pages.numbers, result.pages.flags
    critic = np.where(
        np.isfinite(numbers["topicality"]), numbers["topicality"], numbers["probability"]
    )
    has_labels = (flags["label"] >= 0).any()
    relevant = (flags["label"] if has_labels else flags["relevant"]) == 1
    return TopicPages(topic, engine_topic, tuple(pages), critic[indexes], relevant[indexes])


def _reader(results: Outcomes) -> ReadPage:
    page_bytes = politeness_of(results.design, results.experiment.web).page_bytes
    answer_of = _answers(results.experiment)

    def read(url: str) -> Document | None:
        answer = answer_of(url)
        answer = None if answer is None else cut(judge(answer), page_bytes)
        return None if answer is None or answer.failure else parse(answer)

    return read


def _answers(experiment: Experiment) -> Callable[[str], Answer | None]:
    """The recorded web, or the record of the live one."""
    if experiment.web.is_recorded:
        return open_web(experiment.web).get
    folder = record_folder(experiment.pk)
    if not is_elsewhere():
        return LiveRecord(folder).get
    # A cell that runs on this machine may be writing into the folder.
    copy = tempfile.TemporaryDirectory()
    record = LiveRecord(copy_of(folder, Path(copy.name) / folder.name))
    weakref.finalize(record, copy.cleanup)
    return record.get

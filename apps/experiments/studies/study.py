"""A study: measurements over an experiment's pages, and their stored form."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from apps.engine.evaluation.status_locality import Locality
from apps.experiments.results.outcomes import Outcomes
from apps.experiments.studies.link_contexts import TopicContexts, link_contexts
from apps.experiments.studies.link_offsets import TopicOffsets, link_offsets
from apps.experiments.studies.reading import PAGES, cells_read, read_topics
from apps.experiments.studies.status_by_distance import status_by_distance

VERSION = 1


@dataclass(frozen=True, slots=True)
class PageStudyFigures:
    """Measured on `pages` pages that the `crawler` fetched.

    `offsets` and `contexts` have an entry for each topic with links to learn from, or to compare;
    `localities` are over all topics, empty without in-link counts.
    """

    crawler: str
    pages: int
    offsets: tuple[TopicOffsets, ...]
    contexts: tuple[TopicContexts, ...]
    localities: tuple[Locality, ...]

    def as_plain(self) -> dict[str, Any]:
        """JSON values, to be read with `of_plain`."""
        plain: dict[str, Any] = _KEPT.dump_python(self, mode="json")
        return plain


_KEPT = TypeAdapter(PageStudyFigures)


def of_plain(plain: Mapping[str, Any]) -> PageStudyFigures:
    """The inverse of `as_plain`."""
    return _KEPT.validate_python(plain)


def measure(results: Outcomes, check: Callable[[], None]) -> PageStudyFigures:
    """Reads the pages and measures them; `check` is called in between and may raise.

    Raises EngineError if the web or a cell's result cannot be read.
    """
    read = read_topics(results, check)
    offsets = [link_offsets(topic, check) for topic in read]
    contexts = [link_contexts(topic) for topic in read]
    check()
    return PageStudyFigures(
        results.crawlers[results.baseline].label,
        sum(len(topic.pages) for topic in read),
        tuple(each for each in offsets if each is not None),
        tuple(each for each in contexts if each is not None),
        status_by_distance(read),
    )


def subject(results: Outcomes) -> str:
    """A digest of what is measured: another one means that the study is out of date."""
    cells = [(cell.cell.pk, cell.cell.digest) for cell in cells_read(results)]
    return hashlib.sha256(repr((VERSION, PAGES, cells)).encode()).hexdigest()

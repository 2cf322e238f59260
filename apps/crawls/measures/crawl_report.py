"""The measures over a crawl's records, computed on demand and cached until the crawl goes on."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log1p
from typing import Any, cast

import numpy as np
from django.core.cache import cache

from apps.crawls.inputs.frozen import frozen_inputs
from apps.crawls.inputs.ground_truth import relevant_pages
from apps.crawls.measures.context_qualities import TechniqueQuality, context_qualities
from apps.crawls.measures.curves import numbers
from apps.crawls.measures.drawn_pages import draw_pages, stored_pages
from apps.crawls.measures.localities import localities
from apps.crawls.measures.page_rows import MeasuredPage
from apps.crawls.models import Crawl
from apps.engine import topics
from apps.engine.errors import BadWebFile
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import RecordCounts
from apps.engine.evaluation.precision_recall import Level, at_levels, precision_recall_curve
from apps.engine.evaluation.relevance_distribution import relevance_distribution
from apps.engine.evaluation.status_locality import Locality
from apps.engine.evaluation.status_map import status_map
from apps.engine.evaluation.status_sample import mean_of_sample, status_sample
from apps.topics.inputs.freezing import supply
from apps.topics.inputs.inlinks import INLINKS
from apps.webs.opening import open_web

KEPT_SECONDS = 24 * 3600
POINTS = 300

_FIELDS = tuple(MeasuredPage.__slots__)


@dataclass(frozen=True, slots=True)
class Recalled:
    """Precision over recall by the web's labels.

    `relevant` is how many pages of the web have the label, `labels` whether each page read
    does; `points` are (pages, precision, recall) at some of the relevant pages found, in order.
    """

    relevant: int
    labels: tuple[bool, ...]
    levels: tuple[Level, ...]
    points: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class StatusMeans:
    """Means of ln(1 + in-links), None without counts.

    `counted` of the pages have a count; `sampled` is SL's mean over `sample` of them, thirty pages
    of every five hundred; `estimated` is the model's, over `predicted` pages.
    """

    counted: int
    mean: float | None
    sample: int
    sampled: float | None
    predicted: int
    estimated: float | None


@dataclass(frozen=True, slots=True)
class MapCell:
    """Pages of nearly the same score and status; both values are the middles of the cell.

    `dense`: it is one of the fewest cells that hold more than 90 % of the pages.
    """

    score: float
    log: float
    pages: int
    dense: bool


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """The measures of a crawl's records at one time.

    `recalled` is None if the web has no labels for the topic. `distribution` counts pages by the
    judge's probability in tenths. `localities` are over all links of the pages fetched, empty if no
    in-link count exists. Of a crawl of more than 20,000 pages 5,000, evenly spread, are read:
    `drawn` of its `pages`. `map` has the cells with pages of SL Fig. 14, over `mapped` pages that
    have both a judge's score and an in-link count. `contexts` is empty if no fetched page is
    described by the topic's directory. `coverage` is how many pages each measure of the running
    crawl covers, of those read, by its id. `courses` holds, for some samples of the crawl, the
    pages fetched and every number of `curves.numbers` at that time.
    """

    pages: int
    drawn: int
    recalled: Recalled | None
    distribution: tuple[int, ...]
    status: StatusMeans
    localities: tuple[Locality, ...]
    mapped: int
    map: tuple[MapCell, ...]
    contexts: tuple[TechniqueQuality, ...]
    coverage: Mapping[str, int]
    courses: tuple[tuple[int, Mapping[str, float | None]], ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values; shares are 0–1, unknown values None."""
        plain = asdict(self)
        if self.recalled is not None:
            del plain["recalled"]["labels"]
            plain["recalled"]["levels"] = [
                {**asdict(level), "f1": level.f1} for level in self.recalled.levels
            ]
        return plain


def crawl_report(crawl: Crawl) -> CrawlReport:
    """The measures of a crawl over its stored rows."""
    # Labels may have spaces, and be longer than a key.
    label = zlib.crc32(crawl.topic.web_label.encode())
    key = f"crawl-report-7-{crawl.pk}-{crawl.commits}-{crawl.pages}-{label}"
    return cast(CrawlReport, cache.get_or_set(key, lambda: _computed(crawl), KEPT_SECONDS))


def _computed(crawl: Crawl) -> CrawlReport:
    stored = stored_pages(crawl)
    rows = draw_pages(crawl.pages_fetched.all(), stored)
    pages = [MeasuredPage(*row) for row in rows.values_list(*_FIELDS)]
    counts = inlink_counts(crawl)
    inlinks = [counts.get(page.final_url) for page in pages]
    recalled = _recalled(crawl, pages, stored)
    status = _status(pages, inlinks)
    judged = [page.probability for page in pages if page.probability is not None]
    cells = _map(pages, inlinks)
    _, distribution = relevance_distribution(judged)
    return CrawlReport(
        pages=stored,
        drawn=len(pages),
        recalled=recalled,
        distribution=tuple(distribution.tolist()),
        status=status,
        localities=localities(crawl, pages, counts) if status.counted else (),
        mapped=sum(cell.pages for cell in cells),
        map=cells,
        contexts=context_qualities(crawl, stored),
        coverage=_coverage(crawl, pages, inlinks, recalled),
        courses=_courses(crawl),
    )


def inlink_counts(crawl: Crawl) -> Mapping[str, int]:
    """In-links by URL, from the crawl's frozen inputs; empty if these are gone."""
    typed = crawl.snapshot.data["inlinks"] if crawl.snapshot else {}
    given = {name: part for name, part in frozen_inputs(crawl).items() if name == INLINKS.id}
    try:
        return supply(topics.Topic("", inlinks=typed), crawl.topic_id, given).inlinks
    except BadWebFile:
        return {}


def _recalled(crawl: Crawl, pages: Sequence[MeasuredPage], stored: int) -> Recalled | None:
    """Recall over drawn pages, out of the number of relevant pages expected in such a draw."""
    label = crawl.topic.web_label
    if not crawl.web.is_recorded or not label or not pages:
        return None
    try:
        web = open_web(crawl.web)
        relevant = [label in web.labels(page.final_url) for page in pages]
        total = relevant_pages(label, crawl.web)
    except BadWebFile:
        return None
    if not total:
        return None
    reachable = max(1, sum(relevant), round(total * len(pages) / stored))
    curve = precision_recall_curve(relevant, reachable)
    indices = np.flatnonzero(relevant)
    shown = indices[_spread(len(indices))]
    points = tuple((pages[i].seq, float(curve.precision[i]), float(curve.recall[i])) for i in shown)
    return Recalled(total, tuple(relevant), at_levels(relevant, reachable), points)


def _courses(crawl: Crawl) -> tuple[tuple[int, Mapping[str, float | None]], ...]:
    samples = list(crawl.samples.order_by("seq").values_list("pages", "metrics"))
    return tuple(
        (samples[i][0], {name: samples[i][1].get(name) for name in numbers()})
        for i in _spread(len(samples))
    )


def _spread(count: int) -> list[int]:
    """Up to `POINTS` indices spread over so many items, including the first and the last."""
    chosen = np.unique(np.linspace(0, count - 1, min(POINTS, count)).astype(int))
    return [int(i) for i in chosen]


def _status(pages: Sequence[MeasuredPage], inlinks: Sequence[int | None]) -> StatusMeans:
    logs = [None if count is None else log1p(count) for count in inlinks]
    counted = [value for value in logs if value is not None]
    chosen = status_sample(len(pages))
    predicted = [page.status_log for page in pages if page.status_log is not None]
    return StatusMeans(
        counted=len(counted),
        mean=_mean(counted),
        sample=sum(logs[t - 1] is not None for t in chosen),
        sampled=mean_of_sample(logs, chosen),
        predicted=len(predicted),
        estimated=_mean(predicted),
    )


def _map(pages: Sequence[MeasuredPage], inlinks: Sequence[int | None]) -> tuple[MapCell, ...]:
    """The map of all pages of one crawl that have a count; that of SL's Fig. 14, of a sample over
    several topics, is a figure of experiments."""
    both = [
        (page.probability, log1p(count))
        for page, count in zip(pages, inlinks, strict=True)
        if page.probability is not None and count is not None
    ]
    if not both:
        return ()
    cells = status_map([score for score, _ in both], [log for _, log in both])
    dense = cells.densest()
    scores = (cells.topicality[1:] + cells.topicality[:-1]) / 2
    logs = (cells.status[1:] + cells.status[:-1]) / 2
    return tuple(
        MapCell(float(scores[i]), float(logs[j]), int(cells.counts[i, j]), bool(dense[i, j]))
        for i, j in np.argwhere(cells.counts)
    )


def _coverage(
    crawl: Crawl,
    pages: Sequence[MeasuredPage],
    inlinks: Sequence[int | None],
    recalled: Recalled | None,
) -> dict[str, int]:
    labels = recalled.labels if recalled else (None,) * len(pages)
    records = RecordCounts(
        pages=[
            page.to_judged_page(label, count)
            for page, label, count in zip(pages, labels, inlinks, strict=True)
        ],
        targets=int(crawl.metrics.get("targets") or 0),
        relevant=recalled.relevant if recalled else 0,
        sites=int(crawl.metrics.get("diversity") or 0),
    )
    return {measure.id: measure.coverage(records) for measure in MEASURES}


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None

"""The pages of a crawl that were rendered."""

from __future__ import annotations

from dataclasses import dataclass

from apps.crawls.models import Crawl
from apps.engine.crawl.fetching.rendering import CLOCK, GAINED, PARTS, PROCESSOR, RENDERED


@dataclass(frozen=True, slots=True)
class RenderedCounts:
    """The rendered pages, those of them that have a text since with their share of all pages, and
    the requests of rendering.

    Rendering took `processor_seconds`, `processor_share` of the whole crawl's, and `seconds` by the
    clock, in which the crawl may have done other things too: the `time_share` of its time. None:
    crawls of earlier versions did not measure it.
    """

    pages: int
    gained: int
    share: float
    requests: int
    processor_seconds: float | None = None
    processor_share: float | None = None
    seconds: float | None = None
    time_share: float | None = None


def rendered_counts(crawl: Crawl) -> RenderedCounts | None:
    """The numbers of a crawl; None if none of its pages was rendered."""
    pages, gained, parts = (int(crawl.metrics.get(n) or 0) for n in (RENDERED, GAINED, PARTS))
    if not pages:
        return None
    share = gained / crawl.pages if crawl.pages else 0.0
    processor, clock = (crawl.metrics.get(name) for name in (PROCESSOR, CLOCK))
    if processor is None or clock is None:
        return RenderedCounts(pages, gained, share, parts)
    # The crawl's own processes are counted without the one that renders.
    of_all = processor / (crawl.cpu_seconds + processor) if processor else 0.0
    of_time = min(1.0, clock / crawl.seconds) if crawl.seconds else None
    return RenderedCounts(pages, gained, share, parts, processor, of_all, clock, of_time)

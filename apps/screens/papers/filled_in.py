"""The values that a protocol fills in, in words."""

from __future__ import annotations

from collections.abc import Iterator

from apps.directories.splits import rule
from apps.figures.quantities import count, number_of
from apps.papers.schema import PaperDesign, PaperProtocol
from apps.papers.setting_up import Sizes
from apps.papers.tables import TABLES

JUDGES = {
    "separate": "a committee that learns from examples of its own",
    "lc": "a committee of three that also learns from the targets (LC §6)",
    "sl": "one classifier of half of the examples, which the crawler has not seen (SL §5.1)",
}


def filled_in(protocol: PaperProtocol, sizes: Sizes) -> list[tuple[str, str]]:
    """Each choice with its words; a size that is not the protocol's names that, too."""
    if protocol.table is not None:
        lines = TABLES[protocol.table].lines
        return [("Crawlers", ", ".join(lines))] if lines else []
    assert protocol.experiment is not None
    return list(_of_plan(protocol.experiment, sizes))


def scope_words(protocol: PaperProtocol, topics: int | None, pages: int | None) -> str:
    """How much is crawled: `30 topics × 3 crawlers × 300 pages`."""
    if protocol.experiment is None:
        return "a table"
    plan = protocol.experiment
    crawlers = number_of(len(plan.crawlers), "crawler")
    size = f"{crawlers} × {count(pages or plan.pages)} pages"
    return size if topics is None else f"{number_of(topics, 'topic')} × {size}"


def _of_plan(plan: PaperDesign, sizes: Sizes) -> Iterator[tuple[str, str]]:
    how = rule(plan.topics.rule)
    size = plan.topics.size or how.size
    fewest = max(plan.topics.fewest or 0, how.least(size))
    largest = f" to {count(plan.topics.largest)}" if plan.topics.largest else " or more"
    yield (
        "Topics",
        f"labels of {count(fewest)}{largest} pages, at most"
        f" {_size(sizes.topics, plan.topics.most)}, drawn with seed {plan.random_seed}",
    )
    yield "Seeds, examples", f"{how.sentence.format(size=size)} {how.paper}"
    yield "Crawlers", ", ".join(crawler.name for crawler in plan.crawlers)
    yield "Judge", JUDGES[plan.judge]
    yield "Pages", f"{_size(sizes.pages, plan.pages)} each"
    yield "Test", "paired t over topics, two-tailed, with Holm’s correction"
    if plan.explores_theta:
        yield "θ", "the median prediction over an exploratory crawl of the first topic (SL note 7)"


def _size(chosen: int | None, usual: int) -> str:
    if chosen in (None, usual):
        return count(usual)
    return f"{count(chosen)} (the protocol’s: {count(usual)})"

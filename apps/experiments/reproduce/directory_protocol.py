"""Topics made from a web's labels as LC and SL made them from a directory, and their crawls.

A label such as `Science/Ants` stands for a category. Its pages are split by the paper's rule;
negatives are drawn from pages of the other categories. Every crawl is of the whole recorded web.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.directories.splits import Rule, drawn_order, left_out, split
from apps.engine.crawl.loop import Crawl
from apps.engine.crawl.plan import Plan
from apps.engine.errors import BadWebFile
from apps.engine.intelligence.committee import Committee, Judge
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Example, Topic
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.virtual_web import RecordedFetcher, read
from apps.engine.parsing.document import parse
from apps.experiments.reproduce.hcla_protocol import RANDOM_SEED
from apps.experiments.reproduce.options import Options
from apps.experiments.reproduce.parted_web import PartedWeb

TOPICS, PAGES = 10, 500
JUDGED = 200
MOMENTS = 10
MEASURES = ("harvest_rate", "target_recall", "average_status", "diversity")


@dataclass(frozen=True, slots=True)
class Given:
    """A category as the crawler sees it, and the examples its judge learns from."""

    name: str
    topic: Topic
    judge: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """One crawl: each measure after tenths of the requested pages, the last value if the crawl
    ended before; None if it is undefined."""

    topic: str
    crawler: str
    pages: int
    values: Mapping[str, tuple[float | None, ...]]


def topics(web: PartedWeb, how: Rule, options: Options) -> list[Given]:
    """The categories with enough pages, at most ten (drawn by a fixed seed), or those named in the
    options.

    Raises BadWebFile if there are fewer than two (negatives come from the others' pages), or if the
    seeds alone would use up the pages.
    """
    size = options.examples or how.size
    if pages_of(options) <= size:
        raise BadWebFile(f"the seeds alone are {size} pages: a crawl needs more than that")
    least = max(how.least(size), 0 if options.examples else how.minimum)
    pages = {name: urls for name, urls in members(web, how).items()
             if len(urls) >= least and not left_out(name, how.words)}
    if len(pages) < 2:
        raise BadWebFile(f"fewer than two categories of this web have {least} pages")
    unknown = [name for name in options.categories if name not in pages]
    if unknown:
        raise BadWebFile(f"no category {unknown[0]} with {least} pages; there are: "
                         + ", ".join(sorted(pages)))
    chosen = options.categories or drawn_order(pages.keys(), RANDOM_SEED)[:TOPICS]
    return [_given(web, how, size, name, pages) for name in chosen]


def pages_of(options: Options) -> int:
    """How many pages each crawl fetches."""
    return options.pages or PAGES


def members(web: PartedWeb, how: Rule) -> dict[str, list[str]]:
    """The pages of each category: its own, or for the scope `subtree` those at and below the second
    level of the labels."""
    found: dict[str, list[str]] = {}
    for url, labels in web.labels.items():
        names = labels if how.scope == "own" else {
            "/".join(label.split("/")[:2]) for label in labels}
        for name in names:
            found.setdefault(name, []).append(url)
    return found


def _given(
    web: PartedWeb, how: Rule, size: int, name: str, pages: Mapping[str, Sequence[str]]
) -> Given:
    parts = split(pages[name], how, size, RANDOM_SEED)
    own = set(pages[name])
    others = drawn_order({url for urls in pages.values() for url in urls} - own, RANDOM_SEED)
    wanted = how.negatives_per_positive * len(parts.positives)
    negatives, rest = others[:wanted], others[wanted:]
    training = _examples(web, parts.positives, negatives)
    topic = Topic(
        name=name, language="en", seeds=parts.seeds, training=training,
        targets=frozenset(parts.targets),
    )
    if how.id == "sl":
        return Given(name, topic, _examples(web, parts.evaluation, rest[: len(parts.evaluation)]))
    whole = drawn_order(own, RANDOM_SEED)[:JUDGED]
    return Given(name, topic, _examples(
        web, whole, others[: how.negatives_per_positive * len(whole)]))


def _examples(
    web: PartedWeb, positives: Sequence[str], negatives: Sequence[str]
) -> tuple[Example, ...]:
    pairs = [*((url, True) for url in positives), *((url, False) for url in negatives)]
    return tuple(Example(url, parse(read(web.web, url)), relevant) for url, relevant in pairs)


def judge_of(given: Given, model: TopicModel, judge: Judge) -> Committee:
    """The judge of a category's crawls, with the vocabulary of the crawler's model."""
    learned = TopicModel(
        Topic(given.name, language="en", training=given.judge), model.vocabulary, RANDOM_SEED)
    return Committee.train(learned.rows(), learned.labels(), judge=judge, seed=RANDOM_SEED)


def crawl(
    web: PartedWeb, given: Given, model: TopicModel, crawler: str, strategy: Strategy,
    judge: Committee, pages: int, inlinks: Mapping[str, int],
) -> Course:
    """Crawls `pages` pages of the whole web from the category's seeds."""
    every = max(1, pages // MOMENTS)
    plan = Plan(pages, 5 * pages, politeness=Politeness(delay=0.0), recorded=True,
                sample_every=every)
    engine = Crawl(plan, model, strategy, RecordedFetcher(web.web), committee=judge,
                   inlinks=inlinks.get)

    async def run() -> list[Mapping[str, float | None]]:
        engine.start()
        return [sample.metrics async for batch in engine.run() for sample in batch.samples]

    samples = [*asyncio.run(run())[: MOMENTS - 1]]
    samples += [engine.recorder.metrics] * (MOMENTS - len(samples))
    values = {name: tuple(sample.get(name) for sample in samples) for name in MEASURES}
    return Course(given.name, crawler, engine.pages, values)


def inlink_counts(web: PartedWeb) -> dict[str, int]:
    """How many other pages of the web link to each of its pages."""
    counts: Counter[str] = Counter()
    further = dict(web.web.redirects())
    for url in web.labels:
        answer = read(web.web, url)
        if answer.failure is None:
            targets = {further.get(link, link) for link in parse(answer).links.urls}
            counts.update(targets - {url})
    return {url: counts[url] for url in web.labels}

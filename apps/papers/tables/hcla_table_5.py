"""HCLA Table 5: hcla beside plsi_phits on a web of citations, with one subcategory left out at a
time.

HCLA §5.2 on Cora: papers, their citations as links, the citing contexts as anchor text, N = 25. One
subcategory of Information_Retrieval is the topic; the texts of the others and of random papers of
other categories, unlabelled, are the corpus, up to the 7,000 of the paper.

**Choices** that the paper leaves open: the web is all labelled pages and the links between them;
the corpus' papers are part of it; keywords are the ten most frequent stems of the other
subcategories; a crawl starts from the five papers of the subcategory from which most of it can be
reached; recall is over the papers that can be reached from there.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from apps.engine.errors import BadWebFile
from apps.engine.evaluation.precision_recall import LEVELS, at_levels
from apps.engine.evaluation.significance import half_interval
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.breadth_first import BreadthFirst
from apps.engine.intelligence.strategies.hcla import Hcla
from apps.engine.intelligence.strategies.plsi_phits import PlsiPhits
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.engine.representation.tokens import Vocabulary
from apps.engine.topics import Topic
from apps.papers.tables.hcla_levels import HARVEST, level_values
from apps.papers.tables.hcla_lines import TENTHS
from apps.papers.tables.hcla_protocol import RANDOM_SEED, closed_crawl, fetched_urls
from apps.papers.tables.observed import Observed, observed_in_table
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import PartedWeb, UniversityPart, links_within, reachable_from

CATEGORY = "Information_Retrieval"
CORPUS, KEYWORDS, SEEDS = 7_000, 10, 5
CRAWLERS: Mapping[str, tuple[str, Callable[[], Strategy]]] = {
    "brfs": ("BRFS", BreadthFirst),
    "hcla": ("HCLA", lambda: Hcla(reorders_every=25, anchor_text=True, most_pages=0)),
    "hcla_raw": (
        "HCLA, raw columns, link weight .3",
        lambda: Hcla(
            columns="raw", link_weight=0.3, reorders_every=25, anchor_text=True, most_pages=0
        ),
    ),
    "hcla_no_anchors": (
        "HCLA, no anchor text",
        lambda: Hcla(reorders_every=25, anchor_text=False, most_pages=0),
    ),
    "plsi_phits": ("PLSI+PHITS", lambda: PlsiPhits(reorders_every=25)),
}
PUBLISHED: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "hcla": ((0.88, 0.72, 0.54), (0.18, 0.59, 0.70)),
    "plsi_phits": ((0.86, 0.74, 0.47), (0.18, 0.60, 0.64)),
}
"""Precision and F1 at the three levels, by crawler (HCLA Table 5)."""


@dataclass(frozen=True, slots=True)
class CrawledSplit:
    """One crawl: of `reachable` papers of the subcategory, precision and F1 at the levels, and
    precision at recall .1, .2 … 1.0."""

    subcategory: str
    pages: int
    relevant: int
    reachable: int
    precision: tuple[float, ...]
    f1: tuple[float, ...]
    curve: tuple[float, ...]
    harvest: float


@dataclass(frozen=True, slots=True)
class SplitMeans:
    """A crawler over all splits: means; `intervals` are halves of the precisions' 0.95, `curve` is
    the precision over recall (HCLA Fig. 9)."""

    crawler: str
    title: str
    precision: tuple[float, ...]
    intervals: tuple[float | None, ...]
    f1: tuple[float, ...]
    curve: tuple[float, ...]
    harvest: float
    splits: tuple[CrawledSplit, ...]


@dataclass(frozen=True, slots=True)
class Table5:
    """The lines of one web."""

    web: str
    lines: tuple[SplitMeans, ...]

    def as_dict(self) -> dict[str, Any]:
        """All figures, and the paper's under `published`."""
        published = {name: {"precision": p, "f1": f1} for name, (p, f1) in PUBLISHED.items()}
        return {
            "table": "hcla-table-5",
            "web": self.web,
            "levels": LEVELS,
            "published": published,
            "lines": [asdict(line) for line in self.lines],
        }

    def observed(self) -> Observed:
        """The subcategories as cases."""
        return observed_in_table(
            "subcategory",
            [split.subcategory for split in self.lines[0].splits],
            {
                (split.subcategory, line.title, quantity): value
                for line in self.lines
                for split in line.splits
                for quantity, value in ((HARVEST.id, split.harvest), *level_values(split.precision))
            },
        )

    def text(self) -> str:
        """The table as text, with the paper's figures below ours."""
        head = f"{'crawler':36}{'precision at .1, .5, 1.0':32}{'F1':18}harvest"
        rows = [head]
        for line in self.lines:
            shown = (
                f"{p:.2f}" + ("" if i is None else f"±{i:.2f}")
                for p, i in zip(line.precision, line.intervals, strict=True)
            )
            rows.append(
                f"{line.title:36}"
                + "".join(f"{words:10}" for words in shown)
                + "  "
                + "".join(f"{f1:<6.2f}" for f1 in line.f1)
                + f"{line.harvest:.2f}"
            )
            if line.crawler in PUBLISHED:
                precision, f1s = PUBLISHED[line.crawler]
                rows.append(
                    f"{'  in the paper':36}"
                    + "".join(f"{p:<10.2f}" for p in precision)
                    + "  "
                    + "".join(f"{f1:<6.2f}" for f1 in f1s)
                )
        splits = (
            f"{s.subcategory} {s.reachable} of {s.relevant}, {s.pages} pages"
            for s in self.lines[0].splits
        )
        curves = [
            f"{line.title:36}" + "".join(f"{p:<6.2f}" for p in line.curve) for line in self.lines
        ]
        head = f"{'precision at recall (Fig. 9)':36}" + "".join(f"{r:<6.1f}" for r in TENTHS)
        reach = "Within reach, by subcategory (Table 4): " + "; ".join(splits)
        return "\n".join([*rows, "", head, *curves, "", reach])


def reproduce(web: PartedWeb, options: Options, report: Report) -> Table5:
    """Crawls for each subcategory with each crawler. Raises BadWebFile without the category."""
    part = citations(web)
    names = sorted(
        {
            label
            for url in part.documents
            for label in part.labels[url]
            if label.startswith(CATEGORY + "/")
        }
    )
    if len(names) < 2:
        raise BadWebFile(f"this web has no two subcategories of {CATEGORY} to leave one out")
    vocabulary = Vocabulary("en")
    for document in part.documents.values():
        vocabulary.encode(document.words)
    wanted = {n: c for n, c in CRAWLERS.items() if not options.crawlers or n in options.crawlers}
    splits: dict[str, list[CrawledSplit]] = {name: [] for name in wanted}
    for name in names:
        topic, relevant = topic_of(part, name, vocabulary)
        for crawler, (title, make) in wanted.items():
            report(f"{name}: {title}")
            model = TopicModel(topic, vocabulary, RANDOM_SEED)
            crawl = closed_crawl(part, web, model, make(), options.pages)
            fetched = asyncio.run(fetched_urls(crawl))
            splits[crawler].append(_split(name, part, topic, relevant, fetched))
    return Table5(
        options.web_name,
        tuple(_line(name, wanted[name][0], results) for name, results in splits.items()),
    )


def citations(web: PartedWeb) -> UniversityPart:
    """The labelled pages and the links between them, as one part without a root."""
    papers = [url for url, labels in web.labels.items() if labels]
    names = {url: url for url in papers}
    documents = {}
    for url in papers:
        parsed = parse(read(web.web, url))
        documents[url] = replace(parsed, links=links_within(parsed.links, url, names), refresh=None)
    return UniversityPart(
        "citations", "", documents, {url: web.labels[url] for url in papers}, names
    )


def topic_of(
    part: UniversityPart, left_out: str, vocabulary: Vocabulary
) -> tuple[Topic, frozenset[str]]:
    """The crawler's topic, and the papers it is to find."""
    relevant = part.relevant(left_out)
    kin = [
        url
        for url in part.documents
        if url not in relevant
        and any(label.startswith(CATEGORY + "/") for label in part.labels[url])
    ]
    others = [url for url in part.documents if url not in relevant and url not in set(kin)]
    random.Random(RANDOM_SEED).shuffle(others)
    corpus = tuple(_text(part.documents[url]) for url in (*kin, *others)[:CORPUS])
    return Topic(
        name=left_out,
        language="en",
        corpus=corpus,
        seeds=_seeds(part, relevant),
        keywords=_frequent(corpus[: len(kin)], vocabulary),
    ), relevant


def _text(document: Document) -> Document:
    return replace(document, words=document.words[: document.visible], tree=None)


def _frequent(texts: Sequence[Document], vocabulary: Vocabulary) -> tuple[str, ...]:
    """A word for each of the most frequent stems, the first that occurred."""
    counts: Counter[int] = Counter()
    words: dict[int, str] = {}
    for text in texts:
        for word, term in zip(text.words, vocabulary.encode(text.words).tolist(), strict=True):
            if term >= 0:
                counts[term] += 1
                words.setdefault(term, word)
    return tuple(words[term] for term, _ in counts.most_common(KEYWORDS))


def _seeds(part: UniversityPart, relevant: frozenset[str]) -> tuple[str, ...]:
    """Greedily chosen papers, each leading to the most further ones of the subcategory."""
    reached = {url: reachable_from([url], part.documents) & relevant for url in sorted(relevant)}
    seeds: list[str] = []
    covered: set[str] = set()
    while len(seeds) < SEEDS and covered != relevant:
        seeds.append(max(reached, key=lambda url: len(reached[url] - covered)))
        covered |= reached[seeds[-1]]
    return tuple(seeds)


def _split(
    name: str, part: UniversityPart, topic: Topic, relevant: frozenset[str], fetched: Sequence[str]
) -> CrawledSplit:
    hits = [url in relevant for url in fetched]
    reachable = len(reachable_from(topic.seeds, part.documents) & relevant)
    levels = at_levels(hits, reachable)
    courses = (sum(hits[: n + 1]) / (n + 1) for n in range(len(hits)))
    return CrawledSplit(
        name.partition("/")[2],
        len(fetched),
        len(relevant),
        reachable,
        tuple(level.precision for level in levels),
        tuple(level.f1 for level in levels),
        tuple(level.precision for level in at_levels(hits, reachable, TENTHS)),
        sum(courses) / len(hits),
    )


def _line(name: str, title: str, splits: Sequence[CrawledSplit]) -> SplitMeans:
    precisions = list(zip(*(split.precision for split in splits), strict=True))
    f1s = list(zip(*(split.f1 for split in splits), strict=True))
    curves = list(zip(*(split.curve for split in splits), strict=True))
    return SplitMeans(
        name,
        title,
        tuple(map(_mean, precisions)),
        tuple(half_interval(p) for p in precisions),
        tuple(map(_mean, f1s)),
        tuple(map(_mean, curves)),
        _mean([split.harvest for split in splits]),
        tuple(splits),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)

"""The demo topic, as an analyst would define it for one of the demo web's topics."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from apps.demo.pages import generator
from apps.demo.vocabulary import fields
from apps.demo.web import DemoWeb

DEMO_TOPIC = fields()[0].name

SEED_HOMES, SEED_ARTICLES = 5, 15
POSITIVES, NEGATIVES, TARGETS = 30, 60, 150
KEYWORDS = (
    "sourdough",
    "bread",
    "starter",
    "levain",
    "flour",
    "dough",
    "baker",
    "crust",
    "ferment",
    "loaf",
)


@dataclass(frozen=True, slots=True)
class DemoTopic:
    """The topic's URLs: seeds, training and judging examples, and targets, all disjoint.

    `inlinks` are the true in-link counts of all pages of the web. `web_label` is the label of the
    pages that are truly relevant.
    """

    name: str
    keywords: tuple[str, ...]
    language: str
    seeds: tuple[str, ...]
    positives: tuple[str, ...]
    negatives: tuple[str, ...]
    targets: tuple[str, ...]
    evaluation_positives: tuple[str, ...]
    evaluation_negatives: tuple[str, ...]
    inlinks: tuple[tuple[str, int], ...]
    web_label: str

    def as_json(self) -> dict[str, Any]:
        """The topic in the form that `crawlsite import_topic` reads."""
        return {
            "name": self.name,
            "keywords": list(self.keywords),
            "language": self.language,
            "seeds": list(self.seeds),
            "positives": list(self.positives),
            "negatives": list(self.negatives),
            "targets": list(self.targets),
            "evaluation": {
                "positives": list(self.evaluation_positives),
                "negatives": list(self.evaluation_negatives),
            },
            "inlinks": dict(self.inlinks),
            "web_label": self.web_label,
        }


def draw_topic(web: DemoWeb, seed: int = 1) -> DemoTopic:
    """The demo topic with URLs drawn from the web; the same for the same web and seed.

    Seeds are five home pages and fifteen articles that are only partly on the topic, so that a
    crawl has something to find; negatives come from all other topics.
    """
    rng = generator(seed, f"topic of web {web.seed}")
    on_topic = list(web.articles(DEMO_TOPIC))
    rng.shuffle(on_topic)
    vague = [url for url in on_topic if web.focus(url) < 0.6][:SEED_ARTICLES]
    clear = [url for url in on_topic if url not in set(vague)]
    others = _others(web, rng)
    homes = rng.sample(list(web.urls())[: len(web.hosts)], SEED_HOMES)
    return DemoTopic(
        name=DEMO_TOPIC,
        keywords=KEYWORDS,
        language="en",
        seeds=(*homes, *vague),
        positives=tuple(clear[:POSITIVES]),
        negatives=tuple(others[:NEGATIVES]),
        evaluation_positives=tuple(clear[POSITIVES : 2 * POSITIVES]),
        evaluation_negatives=tuple(others[NEGATIVES : 2 * NEGATIVES]),
        targets=tuple(clear[2 * POSITIVES : 2 * POSITIVES + TARGETS]),
        inlinks=tuple(web.inlinks()),
        web_label=DEMO_TOPIC,
    )


def _others(web: DemoWeb, rng: Random) -> list[str]:
    """Articles of the other topics, every topic in turn."""
    chosen: list[list[str]] = []
    each = -(-2 * NEGATIVES // (len(web.topics) - 1))
    for topic in web.topics:
        if topic != DEMO_TOPIC:
            chosen.append(rng.sample(web.articles(topic), each))
    return [url for row in zip(*chosen, strict=True) for url in row]

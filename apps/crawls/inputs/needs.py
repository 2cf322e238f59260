"""What a topic has of the things that strategies need."""

from __future__ import annotations

from apps.crawls.inputs.previous_crawl import earlier_crawls
from apps.engine.model import Need
from apps.topics.inputs import background, inlinks, taxonomy
from apps.topics.models import Example, SourcePage, Topic

LEAST_EXAMPLES = 2


def met_needs(topic: Topic) -> frozenset[Need]:
    """The needs that a crawl of this topic can count on; what failed to be fetched counts for
    nothing, what is still to be fetched counts."""
    examples = topic.examples.filter(role=Example.Role.TRAIN).exclude(fetch=Example.Fetch.FAILED)
    pages = topic.source_pages.exclude(fetch=SourcePage.Fetch.FAILED)
    positive = examples.filter(relevant=True).count()
    negative = examples.filter(relevant=False).count()
    checks = {
        Need.KEYWORDS: bool(topic.keywords),
        Need.EXAMPLES: min(positive, negative) >= LEAST_EXAMPLES,
        Need.INLINKS: inlinks.has_counts(topic),
        Need.BACKLINKS: pages.filter(kind=SourcePage.Kind.BACKLINK).exists(),
        Need.CORPUS: positive > 0 or pages.filter(kind=SourcePage.Kind.CORPUS).exists(),
        Need.BACKGROUND: background.is_possible(topic),
        Need.TAXONOMY: taxonomy.is_possible(topic),
        Need.CRAWL: earlier_crawls(topic.owner, topic).exists(),
    }
    return frozenset(need for need, met in checks.items() if met)


def place_to_mend(topic: Topic, need: Need) -> str:
    """Where on a topic's pages a need can be met: the part of its form, or of its sources.

    Empty for an earlier crawl, which no page of the topic can make.
    """
    if need == Need.CRAWL:
        return ""
    if need == Need.EXAMPLES and topic.examples.filter(relevant=True).exists():
        return "topic-classifier"  # where negatives can be gathered
    if need in (Need.INLINKS, Need.BACKLINKS) and topic.recorded_web:
        return "sources-web"
    return {
        Need.KEYWORDS: "id_keywords", Need.EXAMPLES: "id_positives", Need.TAXONOMY: "id_negatives",
        Need.INLINKS: "sources-inlinks", Need.BACKLINKS: "sources-backlinks",
        Need.CORPUS: "sources-corpus", Need.BACKGROUND: "topic-classifier",
    }[need]

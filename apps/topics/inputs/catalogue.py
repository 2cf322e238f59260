"""Every input of a crawl, and every list that an analyst can add, in the order of the screens."""

from __future__ import annotations

from apps.topics.inputs.background import BACKGROUND
from apps.topics.inputs.backlinks import BACKLINKS
from apps.topics.inputs.corpus import CORPUS
from apps.topics.inputs.counted_targets import COUNTED_TARGETS
from apps.topics.inputs.crawl_input import CrawlInput, StrategyNeed
from apps.topics.inputs.inlinks import INLINKS
from apps.topics.inputs.input_list import InputList
from apps.topics.inputs.keywords import KEYWORDS
from apps.topics.inputs.labelled_examples import EXAMPLES
from apps.topics.inputs.relevant_set import RELEVANT_SET
from apps.topics.inputs.sampled_negatives import SAMPLED_NEGATIVES
from apps.topics.inputs.sites import SITES
from apps.topics.inputs.subject import SUBJECT
from apps.topics.inputs.taxonomy import TAXONOMY
from apps.topics.inputs.traffic import TRAFFIC
from apps.topics.inputs.word_vectors import WORD_VECTORS

INPUTS: tuple[CrawlInput, ...] = (
    INLINKS,
    TRAFFIC,
    SITES,
    BACKLINKS,
    CORPUS,
    BACKGROUND,
    COUNTED_TARGETS,
    SAMPLED_NEGATIVES,
    TAXONOMY,
    RELEVANT_SET,
    WORD_VECTORS,
)


def input_lists() -> tuple[InputList, ...]:
    """The lists of all inputs."""
    return tuple(input_list for crawl_input in INPUTS for input_list in crawl_input.lists)


def list_of(id: str) -> InputList | None:
    """The list of that id."""
    return next((input_list for input_list in input_lists() if input_list.id == id), None)


def topic_needs() -> tuple[StrategyNeed, ...]:
    """The needs that a topic can meet: by its definition, then by its inputs."""
    needs = (crawl_input.need for crawl_input in INPUTS)
    return (SUBJECT, KEYWORDS, EXAMPLES, *(need for need in needs if need is not None))

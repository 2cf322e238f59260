"""The examples of a topic on its page, those of one kind at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from apps.topics import selectors
from apps.topics.models import Example, Topic
from apps.topics.selectors import ExampleCounts

ROWS = 25


@dataclass(frozen=True, slots=True)
class ExamplesView:
    """The whole section: `page` has the rows of `kind`, `counts` counts those of every kind, and
    `suspects` are the gathered negatives that await a decision."""

    kind: str
    counts: dict[str, ExampleCounts]
    page: Page[Example]
    suspects: Sequence[Example]
    have_drawn_negatives: bool


def examples_view(topic: Topic, kind: str, number: str | None) -> ExamplesView:
    """The section with the page `number` of the examples of a kind."""
    kind = kind if kind in selectors.KINDS else "positive"
    return ExamplesView(
        kind=kind,
        counts=selectors.example_counts(topic),
        page=Paginator(selectors.examples_of_kind(topic, kind), ROWS).get_page(number),
        suspects=list(topic.examples.filter(left_out=True).order_by("-probability")),
        have_drawn_negatives=topic.examples.filter(source=Example.Source.OTHER_TOPIC).exists(),
    )

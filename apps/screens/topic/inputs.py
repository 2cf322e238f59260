"""The inputs of a topic on its page: the lists that its crawls may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.topics import selectors
from apps.topics.inputs.catalogue import input_lists
from apps.topics.inputs.inlinks import status_words
from apps.topics.inputs.input_list import InputRow
from apps.topics.models import Topic
from apps.topics.selectors import ExampleCounts


@dataclass(frozen=True, slots=True)
class InputsView:
    """The whole section: `status` tells which in-links the status strategies would use, and
    `class_pages` counts the pages of the directory's classes."""

    rows: Sequence[InputRow]
    status: str
    class_pages: ExampleCounts


def inputs_view(topic: Topic) -> InputsView:
    """The section of a topic."""
    return InputsView(
        rows=[row for each in input_lists() if (row := each.row(topic))],
        status=status_words(topic),
        class_pages=selectors.page_counts(topic.class_pages.all()),
    )

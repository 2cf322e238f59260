"""Labels of crawled pages as examples of their topic: added, and undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from apps.engine.model import Answer
from apps.topics.examples.loading import keep_page
from apps.topics.examples.page_store import ExampleWriter
from apps.topics.messages import fetch_words
from apps.topics.models import Example, Topic
from apps.topics.versions import new_version

Before = dict[str, Any] | None


class LabelRefused(Exception):
    """A page cannot be an example; `message` is the reason."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def teach(topic: Topic, urls: set[str], relevant: bool, read: Callable[[], Answer]) -> Before:
    """Makes the page a training example of source `label`; returns its previous example.

    `urls` are the page's addresses, requested and final; `read` returns its answer and is called
    only if the page is not an example yet. The topic's version grows. Raises LabelRefused for a
    page that judges crawls or measures their recall, and for one without text.
    """
    with transaction.atomic():
        examples = examples_at(topic, urls)
        if examples.filter(role=Example.Role.EVALUATE).exists():
            raise LabelRefused(
                "This page is an example for judging: it cannot be one for training."
            )
        if topic.targets.filter(url__in=urls).exists():
            raise LabelRefused(
                "This page is a target that measures recall: it cannot be an example."
            )
        example = examples.first()
        before = (
            None
            if example is None
            else {
                "relevant": example.relevant,
                "source": example.source,
                "weight": example.weight,
            }
        )
        if example is None:
            _add(topic, relevant, read())
        else:
            examples.filter(pk=example.pk).update(
                relevant=relevant, source=Example.Source.LABEL, weight=1.0, left_out=False
            )
        new_version(topic)
    return before


def unteach(topic: Topic, urls: set[str], before: Before) -> None:
    """Removes a label's example, or restores the one that was there before."""
    with transaction.atomic():
        labelled = examples_at(topic, urls).filter(source=Example.Source.LABEL)
        if before is None:
            labelled.delete()
        else:
            labelled.update(**before)
        new_version(topic)


def examples_at(topic: Topic, urls: set[str]) -> QuerySet[Example]:
    """The topic's examples with, or redirected to, one of these addresses."""
    return topic.examples.filter(Q(url__in=urls) | Q(final_url__in=urls))


def _add(topic: Topic, relevant: bool, answer: Answer) -> None:
    example = Example.objects.create(
        topic=topic, url=answer.final_url, relevant=relevant, source=Example.Source.LABEL
    )
    with ExampleWriter(topic.pk) as writer:
        if not keep_page(example, answer, writer):
            failure = Example.objects.values_list("failure", flat=True).get(pk=example.pk)
            raise LabelRefused(f"This page cannot be an example: {fetch_words(failure)}.")

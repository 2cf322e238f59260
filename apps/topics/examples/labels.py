"""Labels of crawled pages as examples of their topic: added, and undone."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.db.models import Q, QuerySet

from apps.engine.answers import Answer
from apps.topics.examples.loading import keep_page
from apps.topics.examples.page_store import ExampleWriter
from apps.topics.messages import fetch_words
from apps.topics.models import Example, Topic
from apps.topics.versions import new_version


class LabelRefused(Exception):
    """A page cannot be an example; `message` is the reason."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def teach(topic: Topic, urls: set[str], relevant: bool, read: Callable[[], Answer]) -> None:
    """Makes the page a training example of source `label`.

    `urls` are the page's addresses, requested and final; `read` returns its answer and is called
    only if the page is not an example yet. The topic's version grows if that changes anything.
    Raises LabelRefused for a page that judges crawls or measures their recall, and for one without
    text.
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
        if example is None:
            _add(topic, relevant, read())
        elif example.source != Example.Source.LABEL:
            _overrule(example, relevant)
        elif example.relevant == relevant:
            return
        else:
            examples.filter(pk=example.pk).update(relevant=relevant)
        new_version(topic)


def unteach(topic: Topic, urls: set[str]) -> None:
    """Removes the example of source `label`, or restores the one that it overruled."""
    with transaction.atomic():
        labelled = examples_at(topic, urls).filter(source=Example.Source.LABEL)
        for example in labelled:
            if example.overruled is None:
                example.delete()
            else:
                labelled.filter(pk=example.pk).update(**example.overruled, overruled=None)
        new_version(topic)


def examples_at(topic: Topic, urls: set[str]) -> QuerySet[Example]:
    """The topic's examples that have, or were redirected to, one of these addresses."""
    return topic.examples.filter(Q(url__in=urls) | Q(final_url__in=urls))


def _add(topic: Topic, relevant: bool, answer: Answer) -> None:
    example = Example.objects.create(
        topic=topic, url=answer.final_url, relevant=relevant, source=Example.Source.LABEL
    )
    with ExampleWriter(topic.pk) as writer:
        if not keep_page(example, answer, writer):
            failure = Example.objects.values_list("failure", flat=True).get(pk=example.pk)
            raise LabelRefused(f"This page cannot be an example: {fetch_words(failure)}.")


def _overrule(example: Example, relevant: bool) -> None:
    before = {name: getattr(example, name) for name in ("relevant", "source", "weight")}
    Example.objects.filter(pk=example.pk).update(
        relevant=relevant,
        source=Example.Source.LABEL,
        weight=1.0,
        left_out=False,
        overruled=before,
    )

"""The labels of everybody who has labelled a topic's pages: a column of a download for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from apps.crawls.labels.counted import labels_of_topic
from apps.crawls.models import Page
from apps.engine.digests import digest
from apps.exports.columns import RowColumn, ValueType
from apps.topics.annotation import hides_others
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics, visible_topics

FEWEST = 2
"""People without whom the column `label` says it all."""
Answers = Mapping[int, bool]


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """The columns of people's labels in the order of their names; none of fewer than two.

    `people` are their keys by the names of their columns. `blind` is the person from whom others'
    labels are hidden until they have labelled a page, if there is one.
    """

    topic: int | None = None
    people: Mapping[str, int] = field(default_factory=dict)
    blind: int | None = None

    @classmethod
    def of(cls, topic: Topic, reader: User | None) -> LabelColumns:
        """The labels that a reader may see: none if the topic is not shared with them, all without
        a reader."""
        if reader is not None and not visible_topics(reader).filter(pk=topic.pk).exists():
            return cls()
        keys = labels_of_topic(topic).order_by().exclude(by=None).values("by")
        users = get_user_model().objects.filter(pk__in=keys).order_by("username")
        people = {f"label {user.get_username()}": user.pk for user in users}
        return cls(
            topic.pk,
            people if len(people) >= FEWEST else {},
            reader.pk if reader is not None and _is_blind(topic, reader) else None,
        )

    @property
    def columns(self) -> tuple[RowColumn, ...]:
        return tuple(
            RowColumn(name, ValueType.FLAG, f"{name.replace('label', 'label of', 1)}; {EMPTY}")
            for name in self.people
        )

    def read(self, pages: Sequence[Page]) -> SeenLabels:
        """The labels of these pages."""
        if self.topic is None or not (self.people or self.blind):
            return SeenLabels({}, {}, frozenset())
        of_page = {page.pk: digest(page.final_url) for page in pages}
        topic = Topic(pk=self.topic)
        labels = labels_of_topic(topic).filter(address__in={*of_page.values()}).exclude(by=None)
        answers: dict[int, dict[int, bool]] = {}
        for address, person, relevant in labels.values_list("address", "by_id", "relevant"):
            answers.setdefault(address, {})[person] = relevant
        hidden = {a for a, given in answers.items() if self.blind and self.blind not in given}
        seen = {key: answers.get(address, {}) for key, address in of_page.items()}
        return SeenLabels(
            self.people,
            {key: {} if of_page[key] in hidden else given for key, given in seen.items()},
            frozenset(key for key, address in of_page.items() if address in hidden),
        )


NO_LABELS = LabelColumns()
EMPTY = "empty without one, and where it is hidden from you until you have labelled the page"


@dataclass(frozen=True, slots=True)
class SeenLabels:
    """The labels of pages that a reader sees, by the page's key; `hidden` are the pages whose
    labels are hidden."""

    people: Mapping[str, int]
    answers: Mapping[int, Answers]
    hidden: Collection[int]

    def by(self, column: str, page: Page) -> bool | None:
        """The label of the column's person."""
        return self.answers[page.pk].get(self.people[column])


def _is_blind(topic: Topic, reader: User) -> bool:
    may_label = editable_topics(reader).filter(pk=topic.pk).exists()
    return may_label and hides_others(topic, reader)

"""The topics of a web that an experiment may have, with those chosen."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.urls import reverse

from apps.experiments.selectors import TopicChoice, ready_topics
from apps.webs.models import Web


@dataclass(frozen=True, slots=True)
class OfferedTopic:
    """A topic that may be chosen; `domain` is the first part of its category, if it has one."""

    choice: TopicChoice
    chosen: bool
    domain: str

    @property
    def ready(self) -> bool:
        return not self.choice.problem

    @property
    def pk(self) -> int:
        return self.choice.topic.pk

    @property
    def name(self) -> str:
        return self.choice.topic.name

    @property
    def remedy(self) -> str:
        """Where what is missing can be added."""
        if self.choice.topic.is_under_way:
            return reverse("topic:detail", args=[self.pk])
        return reverse("topic:edit", args=[self.pk])


@dataclass(frozen=True, slots=True)
class TopicTable:
    """The topics of a web, by name."""

    rows: tuple[OfferedTopic, ...]

    @property
    def ready(self) -> tuple[OfferedTopic, ...]:
        return tuple(row for row in self.rows if row.ready)

    @property
    def selected(self) -> tuple[OfferedTopic, ...]:
        return tuple(row for row in self.rows if row.chosen)

    @property
    def has_domains(self) -> bool:
        return any(row.domain for row in self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those chosen, as in a design."""
        return tuple(row.name for row in self.selected)


def topic_table(
    person: User,
    web: Web,
    chosen: Collection[str] | None,
    without: Collection[str] = (),
) -> TopicTable:
    """The table of a web's topics, in which the topics with these numbers are chosen; all that are
    ready for None. Topics with the names of `without` are not in it."""
    choices = [one for one in ready_topics(person, web) if one.topic.name not in without]
    return TopicTable(
        tuple(
            OfferedTopic(
                one,
                not one.problem and (chosen is None or str(one.topic.pk) in chosen),
                _domain(one),
            )
            for one in choices
        )
    )


def draw_topics(rows: Sequence[OfferedTopic], number: int, seed: int) -> list[str]:
    """The numbers of that many topics, drawn at random by the seed."""
    draw = random.Random(seed)
    return [str(row.pk) for row in draw.sample(list(rows), min(number, len(rows)))]


def _domain(one: TopicChoice) -> str:
    category = one.topic.category
    return category.path.strip("/").split("/")[0].replace("_", " ") if category else ""

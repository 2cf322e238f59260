"""People's answers to the pages of a topic, page by page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from apps.collection.models import Entry
from apps.crawls.counted_labels import CountingRule, labels_of_topic
from apps.crawls.models import Label, Settlement
from apps.engine.kinds import DocumentKind
from apps.topics.models import Topic

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class PageAnswers:
    """The last label of each person, by key, of the page at an address; `labels` has one at least.

    `language` is a code, empty if unknown; `settlement` is how it was settled, if it was.
    """

    address: int
    labels: Mapping[int, Label]
    language: str
    kind: str
    settlement: Settlement | None

    @property
    def answers(self) -> dict[int, bool]:
        return {person: label.relevant for person, label in self.labels.items()}

    @property
    def is_shared(self) -> bool:
        """Whether at least two people have labelled it."""
        return len(self.labels) > 1

    @property
    def differs(self) -> bool:
        """Whether people label it differently."""
        return len({*self.answers.values()}) > 1

    @property
    def newest(self) -> Label:
        """The label that was given last."""
        return max(self.labels.values(), key=lambda label: (label.at, label.pk))

    @property
    def at(self) -> datetime:
        return self.newest.at

    def value_by(self, rule: CountingRule) -> bool | None:
        """The label that counts for the topic; None if none does."""
        if self.settlement is not None:
            return self.settlement.relevant
        return rule.value(self.answers)


def read_answers(topic: Topic) -> list[PageAnswers]:
    """All labelled pages of a topic in the order of their last label, without labels of deleted
    accounts."""
    given: dict[int, dict[int, Label]] = {}
    for label in labels_of_topic(topic).exclude(by=None):
        assert label.by_id is not None
        given.setdefault(label.address, {})[label.by_id] = label
    settled = Settlement.objects.filter(topic=topic, undone_at=None).select_related("by")
    settlements = {each.address: each for each in settled}
    read = _read(topic, given)
    pages = (
        PageAnswers(address, labels, *read.get(address, ("", "")), settlements.get(address))
        for address, labels in given.items()
    )
    return sorted(pages, key=lambda page: (page.at, page.address))


def _read(topic: Topic, addresses: Collection[int]) -> dict[int, tuple[str, str]]:
    """Language and kind of each page, as the collection has read it."""
    wanted = list(addresses)
    read = {}
    for start in range(0, len(wanted), AT_ONCE):
        entries = Entry.objects.filter(topic=topic, address__in=wanted[start : start + AT_ONCE])
        for address, language, kind in entries.order_by("crawl", "seq").values_list(
            "address", "language", "kind"
        ):
            read[address] = (language, kind)
    return read


def people_of(pages: Iterable[PageAnswers]) -> list[User]:
    """Everybody who has labelled one of the pages, by name."""
    keys = {person for page in pages for person in page.labels}
    users: list[User] = list(get_user_model().objects.filter(pk__in=keys).order_by("username"))
    return users


def is_document(page: PageAnswers) -> bool:
    """Whether it is a document rather than a web page."""
    return page.kind not in ("", DocumentKind.PAGE)

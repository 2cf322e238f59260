"""People's answers to the pages of a topic, page by page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from apps.collection.blocks import in_blocks
from apps.collection.models import Entry
from apps.crawls.labels.counted import CountingRule, labels_of_topic
from apps.crawls.models import Crawl, Label, Settlement
from apps.crawls.selectors import visible_crawls
from apps.engine.kinds import DocumentKind
from apps.topics.models import Topic

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class PageAnswers:
    """The last label of each person, by key, of the page at an address; `labels` has one at least.

    `crawl` and `seq` are the page that is shown for it. `language` is a code, empty if unknown;
    `settlement` is how it was settled, if it was.
    """

    address: int
    crawl: int
    seq: int
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


def read_answers(topic: Topic, reader: User | None = None) -> list[PageAnswers]:
    """The labelled pages of a topic in the order of their last label, without labels of deleted
    accounts: those of crawls that the reader may see, or all without a reader.

    A page that such a crawl has fetched has all its labels, also those given in other crawls.
    """
    given: dict[int, dict[int, Label]] = {}
    crawls = _crawls_seen(topic, reader)
    positions: dict[int, tuple[int, int]] = {}
    for label in labels_of_topic(topic).exclude(by=None):
        assert label.by_id is not None
        given.setdefault(label.address, {})[label.by_id] = label
        if label.crawl_id in crawls:
            positions[label.address] = (label.crawl_id, label.seq)
    positions |= _fetched_at(crawls, given.keys() - positions.keys())
    settled = Settlement.objects.filter(topic=topic, undone_at=None).select_related("by")
    settlements = {each.address: each for each in settled}
    read = _read(topic, given)
    pages = (
        PageAnswers(
            address, *where, given[address], *read.get(address, ("", "")), settlements.get(address)
        )
        for address, where in positions.items()
    )
    return sorted(pages, key=lambda page: (page.at, page.address))


def labelled_count(topic: Topic) -> int:
    """How many pages of a topic people have labelled, in all its crawls."""
    labels = labels_of_topic(topic).exclude(by=None).order_by()
    return labels.values("address").distinct().count()


def page_seen(topic: Topic, address: int, reader: User) -> tuple[int, int] | None:
    """Crawl and number of the page at an address in a crawl that the reader may see, that of the
    last label there if anybody has labelled it there; None if they see no such page."""
    crawls = _crawls_seen(topic, reader)
    labels = Label.objects.filter(crawl__in=crawls, address=address).order_by("id")
    last = labels.values_list("crawl_id", "seq").last()
    return last or _fetched_at(crawls, [address]).get(address)


def _crawls_seen(topic: Topic, reader: User | None) -> set[int]:
    crawls = visible_crawls(reader) if reader else Crawl.objects.all()
    return {*crawls.filter(topic=topic, deleted_at=None).values_list("pk", flat=True)}


def _fetched_at(crawls: Collection[int], addresses: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Crawl and number of the newest page of these crawls at each of the addresses."""
    positions = {}
    for some in in_blocks(addresses, AT_ONCE):
        entries = Entry.objects.filter(crawl__in=crawls, address__in=some).order_by("crawl", "seq")
        for address, crawl, seq in entries.values_list("address", "crawl_id", "seq"):
            positions[address] = (crawl, seq)
    return positions


def _read(topic: Topic, addresses: Collection[int]) -> dict[int, tuple[str, str]]:
    """Language and kind of each page, as the collection has read it."""
    read = {}
    for some in in_blocks(addresses, AT_ONCE):
        entries = Entry.objects.filter(topic=topic, address__in=some)
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

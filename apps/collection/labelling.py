"""One label for every page that a search matches, given in the background and taken back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.collection.blocks import in_blocks
from apps.collection.models import BulkLabelling, Entry
from apps.collection.search import CollectionSearch
from apps.collection.selectors import matching_pages
from apps.crawls.commands.labelling.labels import (
    LETTERS,
    LabelChange,
    give_labels,
    labels_of,
    learn,
)
from apps.crawls.models import Crawl, Label
from apps.crawls.selectors import editable_crawls
from apps.figures.quantities import count
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.lock import lock_topic

MOST = 5_000
BATCH = 50
SHOWN_FOR = timedelta(hours=1)
LOOKED_UP = 900


def label_matches(user: User, search: CollectionSearch, letter: str) -> BulkLabelling:
    """Queues a label, `y`, `n` or `-` for none, for all pages of the search in crawls that the
    person may label. Raises Refused if there are none or too many, or if the person's labelling of
    this topic is under way."""
    if letter not in LETTERS:
        raise Refused("label", "Give y, n or -.")
    pages = _pages_to_label(user, search)
    if not pages:
        raise Refused("label", "The search has no page of a crawl that you may label.")
    if len(pages) > MOST:
        raise _too_many(len(pages))
    topic, relevant = search.context.topic, LETTERS[letter]
    with transaction.atomic():
        lock_topic(topic.pk)
        if labellings(user, search).filter(job_state__in=queue.UNFINISHED).exists():
            words = "Pages of this topic are being labelled: wait until that is done."
            raise Refused("label", words)
        job = BulkLabelling.objects.create(topic=topic, by=user, relevant=relevant, pages=pages)
        queue.enqueue(job)
    return job


def take_back(job: BulkLabelling) -> None:
    """Queues the restoring of the labels that the pages had; labels given since stay. Raises
    Refused while the labelling is under way or if it was taken back."""
    if job.is_under_way or job.undone:
        raise Refused("label", "The labels are being given or have been taken back.")
    queue.enqueue(job, undone=True, done=0, refused=0)


def labellings(user: User, search: CollectionSearch) -> QuerySet[BulkLabelling]:
    """The person's labellings of the search's topic, the latest first."""
    return BulkLabelling.objects.filter(by=user, topic=search.context.topic).order_by("-pk")


def recent_labelling(user: User, search: CollectionSearch) -> BulkLabelling | None:
    """The latest labelling of the topic, if it is under way or ended less than an hour ago."""
    latest = labellings(user, search).first()
    if latest is None or latest.is_under_way or latest.job_touched_at is None:
        return latest
    return latest if latest.job_touched_at > timezone.now() - SHOWN_FOR else None


def label_pages(job: BulkLabelling) -> None:
    """Gives the labels batch by batch, or restores those before; the crawls learn at the end.

    What pages had is stored before it is changed, so that after a kill it goes on and can still be
    taken back.
    """
    crawls = Crawl.objects.in_bulk({crawl for crawl, _ in job.pages})
    last = job.page_count
    while job.done < last:
        batch = job.pages[job.done : min(last, job.done + BATCH)]
        if len(job.before) <= job.done:
            job.before = [*job.before, *_present(crawls, batch, job.by)]
            if not queue.heartbeat(job, before=job.before):
                return
        wanted = job.before[job.done : job.done + len(batch)] if job.undone else None
        job.refused += _give(job, crawls, batch, wanted)
        job.done += len(batch)
        if not queue.heartbeat(job, done=job.done, refused=job.refused):
            return
    for crawl in crawls.values():
        learn(crawl, job.by)


def _too_many(pages: int) -> Refused:
    much = f"The search has {count(pages)} pages; at most {count(MOST)} are labelled at once"
    return Refused("label", f"{much}: narrow it by a filter.")


def _pages_to_label(user: User, search: CollectionSearch) -> list[tuple[int, int]]:
    """(crawl, page number) of each page: of the crawls with this page the one with its label, else
    the newest that the person may label."""
    crawls = editable_crawls(user).filter(pk__in=search.context.crawl_ids)
    editable = set(crawls.values_list("pk", flat=True))
    keys = matching_pages(search, each_crawl=True)
    if len(keys) > MOST * len(search.context.crawl_ids):
        raise _too_many(len(keys))
    in_force = Label.objects.filter(crawl__in=editable, undone_at=None)
    labelled = set(in_force.values_list("crawl_id", "seq"))
    chosen: dict[int, tuple[int, int]] = {}
    for some in in_blocks(keys, LOOKED_UP):
        rows = Entry.objects.filter(page_id__in=some)
        for address, crawl, seq in rows.order_by("crawl_id", "seq").values_list(
            "address", "crawl_id", "seq"
        ):
            if crawl in editable and chosen.get(address) not in labelled:
                chosen[address] = (crawl, seq)
    return list(chosen.values())


def _present(
    crawls: dict[int, Crawl], pages: Sequence[Sequence[int]], by: User
) -> list[bool | None]:
    """A person's labels of pages now."""
    seqs: dict[int, list[int]] = defaultdict(list)
    for crawl, seq in pages:
        seqs[crawl].append(seq)
    labels = {key: labels_of(crawls[key], of, by) for key, of in seqs.items() if key in crawls}
    return [labels.get(crawl, {}).get(seq) for crawl, seq in pages]


def _give(
    job: BulkLabelling,
    crawls: dict[int, Crawl],
    pages: Sequence[Sequence[int]],
    before: Sequence[bool | None] | None,
) -> int:
    """Labels pages, or restores the labels `before` of those that still have the job's; returns how
    many pages refused."""
    groups: dict[tuple[int, bool | None], list[int]] = defaultdict(list)
    present = _present(crawls, pages, job.by)
    for at, (crawl, seq) in enumerate(pages):
        wanted = job.relevant if before is None else before[at]
        if before is None or present[at] == job.relevant:
            groups[crawl, wanted].append(seq)
    refused = sum(len(seqs) for (key, _), seqs in groups.items() if key not in crawls)
    for (key, wanted), seqs in groups.items():
        if key in crawls:
            refused += len(give_labels(crawls[key], LabelChange(wanted, tuple(seqs)), job.by))
    return refused

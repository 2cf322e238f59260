"""Pages taken out of the collections, shown there again, and forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from django.db import transaction

from apps.collection import full_text
from apps.collection.clusters.tasks import withhold_words
from apps.collection.indexing.index import entry_of, stemmed_words, sweep
from apps.collection.models import Entry, Fingerprint, MainText, PageVector, Progress
from apps.collection.shared_pages.same_page import add_to_sets
from apps.collection.stored_counts import drop_counts
from apps.collection.vectors.page_vectors import renew_space
from apps.crawls.models import Crawl, Page
from apps.engine.digests import digest
from apps.topics.lock import lock_topic
from apps.topics.models import Topic


def hide_pages(crawl: Crawl, keys: Sequence[int]) -> None:
    """Hides these pages of a crawl from lists, searches and downloads, in one transaction; call it
    with some hundred. Groups of near-duplicates that they are the first of are taken apart; their
    vectors are deleted, and clusters lose their words until they are made anew."""
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        drop_counts([crawl.topic_id])
        Entry.objects.filter(topic=crawl.topic_id, fold__in=keys).update(fold=None)
        listed, _ = Entry.objects.filter(page_id__in=keys).delete()
        PageVector.objects.filter(page_id__in=keys).delete()
        if listed:
            withhold_words(crawl.topic_id)
        Page.every.filter(pk__in=keys).update(hidden=True)


def show_pages(crawl: Crawl, keys: Sequence[int]) -> None:
    """Shows hidden pages again, in one transaction; call it with some hundred."""
    pages = list(Page.every.filter(pk__in=keys, hidden=True).order_by("seq"))
    progress = Progress.objects.filter(crawl=crawl).first()
    listed = [page for page in pages if progress and page.seq <= progress.listed]
    indexed = [page for page in listed if progress and page.seq <= progress.indexed]
    missing = full_text.pages_without_words([page.pk for page in indexed])
    language = (progress.language if progress else None) or ""
    stems = stemmed_words(crawl, [page for page in indexed if page.pk in missing], language)
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        Page.every.filter(pk__in=keys).update(hidden=False)
        drop_counts([crawl.topic_id])
        addresses = [digest(page.final_url) for page in listed]
        sets = add_to_sets(crawl, addresses)
        Entry.objects.bulk_create(
            (
                entry_of(crawl, page, address, sets[address])
                for page, address in zip(listed, addresses, strict=True)
            ),
            ignore_conflicts=True,
        )
        full_text.write_words(stems)
        # Labels, examples and what the main texts say are marked anew.
        Progress.objects.filter(crawl=crawl).update(marked=0)
        if pages:
            before = pages[0].seq - 1
            Progress.objects.filter(crawl=crawl, read__gt=before).update(read=before)
            Progress.objects.filter(crawl=crawl, vectored__gt=before).update(vectored=before)


def erase_traces(topics: Iterable[Topic], heartbeat: Callable[[], bool]) -> bool:
    """Recomputes, without hidden pages, everything that has words of forgotten pages: the index of
    words, and by what pages of these topics are compared. False if the job is no longer wanted.

    Until the background has indexed the pages again, searches say how many are missing.
    """
    if full_text.has_hidden_pages():
        sweep(anew=True)
    for topic in topics:
        if not heartbeat():
            return False
        renew_space(topic)
    return heartbeat()


def forget_pages(keys: Sequence[int]) -> None:
    """Deletes all data of these hidden pages from the collections."""
    MainText.objects.filter(page_id__in=keys).delete()
    Fingerprint.objects.filter(page_id__in=keys).delete()
    PageVector.objects.filter(page_id__in=keys).delete()

"""The vectors of pages, made after the pages have been read, and read in blocks.

Each chunk is one transaction and names where it began, as in `indexing`. The space is made anew
when the topic has twice the pages that it was made of, or other word vectors are named; then the
pages get their vectors anew from the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache

import numpy as np
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from numpy.typing import NDArray

from apps.collection.blocks import in_blocks
from apps.collection.models import (
    Cluster,
    Clustering,
    Entry,
    MainText,
    PageVector,
    Progress,
    TopicVectors,
)
from apps.collection.stored_counts import drop_counts
from apps.collection.vectors.terms import terms_of
from apps.collection.vectors.text_space import Rows, TextSpace
from apps.crawls.models import Crawl
from apps.engine.representation.vectors.reading import BadVectors
from apps.engine.representation.vectors.word_vectors import WordVectors
from apps.topics.lock import lock_topic
from apps.topics.models import Topic
from apps.topics.named_vectors import named_vectors, vectors_label, vectors_state

LEAST_PAGES = 8
MOST_SAMPLED = 2_000
"""The space is made of so many pages of the topic, spread over all."""
PLACED_AT_ONCE = 100
BLOCK = 4_096
"""So many vectors are compared at once."""


def without_vectors() -> Q:
    """The Progress of crawls with pages that were read and have no vector of the present space."""
    vectors = "crawl__topic__text_vectors"
    is_placed = Q(**{f"{vectors}__isnull": False})
    is_old = ~Q(vectors_version=F(f"{vectors}__version")) | ~Q(
        **{f"{vectors}__source": vectors_state()}
    )
    return Q(vectored__lt=F("read")) | (Q(read__gt=0) & is_placed & is_old)


def make_page_vectors(crawl: Crawl, heartbeat: Callable[[], bool] = lambda: True) -> bool:
    """Makes the vectors of a crawl's pages that have been read; returns whether all are made.

    `heartbeat` is called between chunks of 100. A page whose text has no term of the space has
    none.
    """
    row = _present_vectors(crawl.topic)
    version = row.version if row else 0
    behind = Progress.objects.filter(crawl=crawl).exclude(vectors_version=version)
    behind.update(vectored=0, vectors_version=version)
    while heartbeat():
        if not _place_chunk(crawl, version, row):
            return True
    return False


def _present_vectors(topic: Topic) -> TopicVectors | None:
    """The vector space in which the topic's pages get vectors now, made if it is due; None while
    there are too few pages."""
    row = vectors_of_topic(topic.pk)
    pages = MainText.objects.filter(crawl__topic=topic, words__gt=0).count()
    if row is None or row.source != vectors_state() or pages >= 2 * row.pages:
        if row is None:
            _make_space(topic, 0)
        else:
            renew_space(topic)
        row = vectors_of_topic(topic.pk)
    return row


def renew_space(topic: Topic) -> None:
    """Makes the topic's space anew of the pages that are shown, or deletes it with all its vectors
    if these are too few; the pages get their vectors anew in the background."""
    row = vectors_of_topic(topic.pk)
    if row is None or _make_space(topic, row.version):
        return
    with transaction.atomic():
        lock_topic(topic.pk)
        if TopicVectors.objects.filter(topic=topic, version=row.version).delete()[0]:
            PageVector.objects.filter(crawl__topic=topic).delete()
            behind = Progress.objects.filter(crawl__topic=topic)
            behind.update(vectored=F("read"), vectors_version=0)


def vectors_of_topic(topic: int) -> TopicVectors | None:
    """The row of the topic's vectors, without the space itself (`space_of`)."""
    return TopicVectors.objects.filter(topic=topic).defer("space").first()


def _make_space(topic: Topic, before: int) -> bool:
    """Makes the space of version `before` + 1, unless somebody else has; False if the pages are too
    few."""
    named, problem = vectors_state(), ""
    vectors: WordVectors | None = None
    try:
        vectors = named_vectors()
    except BadVectors as error:
        problem = str(error)
    texts = _sample(topic, by_words=vectors is None)
    space = TextSpace.fit(texts, vectors) if len(texts) >= LEAST_PAGES else None
    if space is None and vectors is not None and len(texts) >= LEAST_PAGES:
        vectors, problem = None, f"No words of the pages are among those of {vectors_label()}."
        space = TextSpace.fit(_sample(topic, by_words=True))
    if space is None:
        return False
    values = {
        "version": before + 1,
        "source": named,
        "label": vectors_label() if vectors else "",
        "problem": problem,
        "pages": max(space.pages, MainText.objects.filter(crawl__topic=topic, words__gt=0).count()),
        "space": space.pack(),
        "made_at": timezone.now(),
    }
    with transaction.atomic():
        lock_topic(topic.pk)
        if not Topic.objects.filter(pk=topic.pk).exists():
            return True
        if before:
            TopicVectors.objects.filter(topic=topic, version=before).update(**values)
        else:
            TopicVectors.objects.get_or_create(topic=topic, defaults=values)
    return True


def _sample(topic: Topic, by_words: bool) -> list[list[str]]:
    """The terms of pages spread over the topic, of near-duplicates and of fetches of one address
    one."""
    # Multiplying by one prime modulo another spreads consecutive keys.
    spread = sorted(
        Entry.objects.filter(topic=topic).values_list("page_id", "address", "fold"),
        key=lambda row: (row[0] * 7919 % 10007, row[0]),
    )
    chosen: dict[int, int] = {}
    folds = set[int]()
    for page, address, fold in spread:
        if address not in chosen and fold not in folds:
            chosen[address] = page
            folds |= {fold} if fold else set()
    texts: list[list[str]] = []
    for keys in in_blocks(chosen.values(), PLACED_AT_ONCE):
        if len(texts) >= MOST_SAMPLED:
            break
        rows = MainText.objects.filter(page_id__in=keys, words__gt=0).select_related("crawl")
        texts += [page_terms(row, by_words) for row in rows.order_by("page_id")]
    return texts[:MOST_SAMPLED]


def page_terms(text: MainText, by_words: bool) -> list[str]:
    """The terms of a page's title and main text; word vectors are of words, not of stems."""
    languages = [text.language] if by_words else []
    return terms_of(f"{text.title}\n{text.text}", text.language, languages)


def _place_chunk(crawl: Crawl, version: int, row: TopicVectors | None) -> bool:
    progress = Progress.objects.filter(crawl=crawl, vectors_version=version).first()
    if progress is None:
        return False
    numbers = Entry.objects.filter(crawl=crawl, seq__gt=progress.vectored, seq__lte=progress.read)
    keys = list(numbers.order_by("seq").values_list("page_id", "seq")[:PLACED_AT_ONCE])
    last = keys[-1][1] if len(keys) == PLACED_AT_ONCE else progress.read
    if not keys and progress.vectored == last:
        return False
    made = _vectors(crawl, row, [key for key, _ in keys]) if row else []
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        mine = Progress.objects.filter(
            crawl=crawl, vectored=progress.vectored, vectors_version=version
        ).update(vectored=last)
        if mine:
            # Some may have been hidden since they were read.
            shown = Entry.objects.filter(page_id__in=[each.page_id for each in made])
            keys_shown = {*shown.values_list("page_id", flat=True)}
            made = [each for each in made if each.page_id in keys_shown]
            assign_clusters(crawl.topic_id, made)
            PageVector.objects.bulk_create(
                made,
                update_conflicts=True,
                unique_fields=["page_id"],
                update_fields=["version", "vector"],
            )
    return True


def assign_clusters(topic: int, vectors: Sequence[PageVector]) -> None:
    """Marks pages with new vectors with the nearest cluster, if there are clusters of these."""
    clustering = Clustering.objects.filter(topic=topic).first()
    if not vectors or clustering is None or clustering.version != vectors[0].version:
        return
    clusters = list(Cluster.objects.filter(topic=topic))
    if not clusters:
        return
    rows = np.stack([np.frombuffer(each.vector, "<f2").astype(np.float32) for each in vectors])
    drop_counts([topic])
    nearest = np.argmax(rows @ np.stack([each.direction for each in clusters]).T, axis=1)
    for number in np.unique(nearest).tolist():
        own = [each.page_id for each, n in zip(vectors, nearest, strict=True) if n == number]
        Entry.objects.filter(page_id__in=own).update(cluster=clusters[number].pk)


def _vectors(crawl: Crawl, row: TopicVectors, keys: Sequence[int]) -> list[PageVector]:
    texts = list(MainText.objects.filter(page_id__in=keys, words__gt=0).order_by("page_id"))
    placed = space_of(row).place([page_terms(text, row.by_words) for text in texts])
    return [
        PageVector(
            page_id=text.page_id,
            crawl_id=crawl.pk,
            version=row.version,
            vector=numbers.astype("<f2").tobytes(),
        )
        for text, numbers in zip(texts, placed, strict=True)
        if numbers.any()
    ]


def space_of(row: TopicVectors) -> TextSpace:
    """The space of a topic's vectors."""
    return _unpacked(row.topic_id, row.made_at)


@lru_cache(maxsize=4)
def _unpacked(topic: int, made_at: datetime) -> TextSpace:
    packed = TopicVectors.objects.values_list("space", flat=True).get(topic=topic)
    return TextSpace.unpack(bytes(packed))


def vector_blocks(crawls: Sequence[int], version: int) -> Iterator[tuple[NDArray[np.int64], Rows]]:
    """The keys of the pages of crawls, with a row for each, some thousand at a time.

    Between two blocks no query is open: on SQLite nothing could be written beside it.
    """
    rows = PageVector.objects.filter(crawl__in=crawls, version=version).order_by("page_id")
    pairs, last = rows.values_list("page_id", "vector"), 0
    while block := list(pairs.filter(page_id__gt=last)[:BLOCK]):
        keys, last = np.array([key for key, _ in block], np.int64), block[-1][0]
        numbers = np.frombuffer(b"".join(bytes(vector) for _, vector in block), "<f2")
        yield keys, numbers.reshape(len(keys), -1).astype(np.float32)


def vectors_by_page(keys: Sequence[int], version: int) -> tuple[list[int], Rows]:
    """The pages among these that have a vector, in their order, with a row for each."""
    listed: list[int] = []
    blocks: list[Rows] = []
    for some in in_blocks(keys, PLACED_AT_ONCE):
        rows = dict(
            PageVector.objects.filter(page_id__in=some, version=version).values_list(
                "page_id", "vector"
            )
        )
        own = [key for key in some if key in rows]
        listed += own
        blocks += [np.frombuffer(bytes(rows[key]), "<f2").astype(np.float32) for key in own]
    return listed, np.stack(blocks) if blocks else np.empty((0, 0), np.float32)


def vectors_of(keys: Sequence[int], version: int) -> Rows:
    """The vectors of some pages, without those that have none."""
    rows = PageVector.objects.filter(page_id__in=keys, version=version)
    listed = [bytes(row) for row in rows.order_by("page_id").values_list("vector", flat=True)]
    if not listed:
        return np.empty((0, 0), np.float32)
    return np.stack([np.frombuffer(row, "<f2").astype(np.float32) for row in listed])

"""Words of erased pages that a running crawl forgets, asked for by digests: no row has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from django.conf import settings

from apps.crawls.models import Crawl, WordsToErase

SIZE = 8


@dataclass(frozen=True, slots=True)
class PendingErasure:
    """The words to erase, by their digests, and the keys of the rows that ask for it."""

    rows: tuple[int, ...]
    digests: frozenset[bytes]

    def has(self, word: str) -> bool:
        return _digest(word) in self.digests


def ask_to_erase(crawl: Crawl, words: Iterable[str]) -> WordsToErase:
    """Requests the running crawl, or its next run, to erase the words."""
    digests = b"".join(sorted(map(_digest, words)))
    return WordsToErase.objects.create(crawl=crawl, digests=digests)


def pending_erasure(crawl: Crawl) -> PendingErasure:
    """The words that the crawl has yet to erase."""
    rows = dict(WordsToErase.objects.filter(crawl=crawl).values_list("pk", "digests"))
    digests = (
        bytes(row[start : start + SIZE])
        for row in rows.values()
        for start in range(0, len(row), SIZE)
    )
    return PendingErasure(tuple(rows), frozenset(digests))


def _digest(word: str) -> bytes:
    key = settings.SECRET_KEY.encode()[: blake2b.MAX_KEY_SIZE]
    return blake2b(word.encode(), digest_size=SIZE, key=key).digest()

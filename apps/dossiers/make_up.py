"""Whether the pages of a host look machine-made or alike by their template, from rows that exist.

It is a remark for people: nothing is left out for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from apps.collection.models import Entry, MainText
from apps.crawls.models import Page
from apps.engine.urls import host_of_canonical

MOST_PAGES = 2_000
"""The pages that are looked at, the first of each crawl."""
LEAST_PAGES = 20
NEAR_DUPLICATE, TEMPLATE, PATTERN = 0.5, 0.8, 0.9
"""The shares from which on a host is flagged."""
_WORDS = re.compile(r"[^/?&=.-]*\d[^/?&=.-]*")


@dataclass(frozen=True, slots=True)
class HostMakeUp:
    """Shares of the `pages` that were looked at: of near-duplicates, of the words outside the main
    text (None where none has been read), and of addresses of the one `pattern` that most have,
    where `#` stands for a part with a digit."""

    pages: int
    near_duplicates: float
    template: float | None
    pattern: str
    pattern_share: float

    @property
    def flags(self) -> tuple[str, ...]:
        """What stands out, in words; empty below 20 pages."""
        if self.pages < LEAST_PAGES:
            return ()
        marks = (
            (self.near_duplicates >= NEAR_DUPLICATE, "near-duplicates"),
            ((self.template or 0.0) >= TEMPLATE, "mostly template"),
            (
                self.pattern_share >= PATTERN and "#" in self.pattern,
                "addresses of one numbered pattern",
            ),
        )
        return tuple(words for is_set, words in marks if is_set)


def host_make_up(host: str, crawls: Sequence[int]) -> HostMakeUp:
    """The make-up of a host's pages that these crawls have, those of hidden pages left out."""
    rows = Page.objects.filter(crawl__in=crawls, host=host).order_by("crawl", "seq")
    pages = list(rows.values_list("pk", "final_url", "words")[:MOST_PAGES])
    keys = [pk for pk, _, _ in pages]
    folded = Entry.objects.filter(page_id__in=keys).exclude(fold=None).count()
    counted = dict(MainText.objects.filter(page_id__in=keys).values_list("page_id", "words"))
    all_words = sum(words for pk, _, words in pages if pk in counted)
    main = sum(min(counted[pk], words) for pk, _, words in pages if pk in counted)
    patterns = Counter(pattern_of(url) for _, url, _ in pages if host_of_canonical(url) == host)
    pattern, number = patterns.most_common(1)[0] if patterns else ("", 0)
    return HostMakeUp(
        pages=len(pages),
        near_duplicates=folded / len(pages) if pages else 0.0,
        template=1 - main / all_words if all_words else None,
        pattern=pattern,
        pattern_share=number / len(pages) if pages else 0.0,
    )


def pattern_of(url: str) -> str:
    """`/p/#.html` of `http://a.test/p/17.html`: each part with a digit is `#`."""
    path = "/" + url.partition("://")[2].partition("/")[2]
    return _WORDS.sub("#", path)

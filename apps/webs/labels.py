"""The topic labels of a web's pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from apps.engine.networking.webs.virtual_web import INDEX
from apps.webs.models import Web
from apps.webs.opening import added_labels_path, open_recorded, open_web, web_folder
from apps.webs.pages.indexing import storable


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How many pages have each label, the most frequent first, and how many have any.

    `by_split` has the same for each split of the web, such as WebKB's universities, by the labels
    of its file.
    """

    counts: Mapping[str, int]
    pages: int
    by_split: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def label_counts(web: Web) -> Mapping[str, int]:
    """How many pages have each label, the most frequent first; empty for the live Web.

    Raises BadWebFile if the web cannot be opened.
    """
    return labels_of(web).counts


def labels_of(web: Web) -> LabelCounts:
    """The labels of a web's pages; none for the live Web.

    Raises BadWebFile if the web cannot be opened.
    """
    if not web.is_recorded:
        return LabelCounts({}, 0)
    if web.source == Web.Source.DEMO:
        return _of_demo(web.pk, web.seed, web.pages)
    folder = web_folder(web)
    try:
        made = (folder / INDEX).stat().st_mtime_ns
    except OSError:
        made = 0
    return _of_folder(folder, made, added_labels_path(web))


@lru_cache(maxsize=200)
def _of_folder(folder: Path, made: int, added: Path | None) -> LabelCounts:
    """Cached: neither a recorded web nor a file of added labels ever changes."""
    web = open_recorded(folder, added)
    try:
        counts = {storable(label): pages for label, pages in web.label_counts().items()}
        by_split = {
            split: {storable(label): pages for label, pages in of_split.items()}
            for split, of_split in web.label_counts_by_split().items()
        }
        return LabelCounts(counts, web.labelled_count(), by_split)
    finally:
        web.close()


@lru_cache(maxsize=2)
def _of_demo(pk: int, seed: int, pages: int | None) -> LabelCounts:
    web = open_web(Web.objects.get(pk=pk))
    labels = [web.labels(url) for url in web.urls()]
    counts = Counter(label for of_page in labels for label in of_page)
    return LabelCounts(dict(counts.most_common()), sum(map(bool, labels)))

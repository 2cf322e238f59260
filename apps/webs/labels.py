"""The topic labels of a web's pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from apps.engine.networking.virtual_web import INDEX
from apps.webs.models import Web
from apps.webs.opening import added_labels_path, open_recorded, open_web, web_folder
from apps.webs.pages.indexing import storable


@dataclass(frozen=True, slots=True)
class Labels:
    """How many pages have each label, the most frequent first, and how many have any."""

    counts: Mapping[str, int]
    pages: int


def label_counts(web: Web) -> Mapping[str, int]:
    """How many pages have each label, the most frequent first; empty for the live Web.

    Raises BadWebFile if the web cannot be opened.
    """
    return labels_of(web).counts


def labels_of(web: Web) -> Labels:
    """The labels of a web's pages; none for the live Web.

    Raises BadWebFile if the web cannot be opened.
    """
    if not web.is_recorded:
        return Labels({}, 0)
    if web.source == Web.Source.DEMO:
        return _of_demo(web.pk, web.seed)
    folder = web_folder(web)
    try:
        made = (folder / INDEX).stat().st_mtime_ns
    except OSError:
        made = 0
    return _of_folder(folder, made, added_labels_path(web))


@lru_cache(maxsize=200)
def _of_folder(folder: Path, made: int, added: Path | None) -> Labels:
    """Cached: neither a recorded web nor a file of added labels ever changes."""
    web = open_recorded(folder, added)
    try:
        counts = {storable(label): pages for label, pages in web.label_counts().items()}
        return Labels(counts, web.labelled_count())
    finally:
        web.close()


@lru_cache(maxsize=2)
def _of_demo(pk: int, seed: int) -> Labels:
    web = open_web(Web.objects.get(pk=pk))
    labels = [web.labels(url) for url in web.urls()]
    counts = Counter(label for of_page in labels for label in of_page)
    return Labels(dict(counts.most_common()), sum(map(bool, labels)))

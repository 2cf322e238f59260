"""The topic labels of a web's pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from apps.engine.networking.virtual_web import INDEX, VirtualWeb
from apps.webs.models import Web
from apps.webs.opening import open_web, web_folder
from apps.webs.pages.indexing import storable


def label_counts(web: Web) -> Mapping[str, int]:
    """How many pages have each label, the most frequent first; empty for the live Web.

    Raises BadWebFile if the web cannot be opened.
    """
    if not web.is_recorded:
        return {}
    if web.source == Web.Source.DEMO:
        return _counts_of_demo(web.pk, web.seed)
    folder = web_folder(web)
    try:
        made = (folder / INDEX).stat().st_mtime_ns
    except OSError:
        made = 0
    return _counts_of_folder(folder, made)


@lru_cache(maxsize=200)
def _counts_of_folder(folder: Path, made: int) -> Mapping[str, int]:
    """Cached: a recorded web never changes."""
    web = VirtualWeb(folder)
    try:
        return {storable(label): pages for label, pages in web.label_counts().items()}
    finally:
        web.close()


@lru_cache(maxsize=2)
def _counts_of_demo(pk: int, seed: int) -> Mapping[str, int]:
    web = open_web(Web.objects.get(pk=pk))
    counts = Counter(label for url in web.urls() for label in web.labels(url))
    return dict(counts.most_common())

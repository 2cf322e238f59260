"""Ground truth about a crawl's web, for the measures only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from apps.webs.labels import label_counts
from apps.webs.models import Web


def relevant_pages(label: str, web: Web) -> int | None:
    """How many pages of a recorded web have the topic's label, or None if that is unknown. Raises
    BadWebFile if the web cannot be opened."""
    if not web.is_recorded or not label:
        return None
    return label_counts(web).get(label, 0)


class LabelledWeb(Protocol):
    """A web whose pages have labels."""

    def labels(self, url: str) -> tuple[str, ...]: ...


def labels_of(label: str, web: LabelledWeb | None) -> Callable[[str], bool | None]:
    """Whether a page of a recorded web has the topic's label, by URL; None if that is unknown."""
    if web is None or not label:
        return lambda url: None
    return lambda url: label in web.labels(url)

"""The filters of a web's pages, in the order of the screen."""

from __future__ import annotations

from typing import Any

from apps.search.filter import Filter
from apps.search.host import HOST
from apps.webs.pages.filters.inlinks import INLINKS
from apps.webs.pages.filters.label import LABEL
from apps.webs.pages.filters.language import LANGUAGE
from apps.webs.pages.filters.published import PUBLISHED
from apps.webs.pages.filters.topic import TOPIC
from apps.webs.pages.filters.words import WORDS

FILTERS: tuple[Filter[Any], ...] = (
    LABEL,
    HOST,
    LANGUAGE,
    PUBLISHED,
    TOPIC,
    WORDS,
    INLINKS,
)

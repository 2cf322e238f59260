"""Every source of a background, in the order of the screens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.background_sources.sources.earlier_crawls import EARLIER_CRAWLS
from apps.background_sources.sources.gathered_pages import GATHERED_PAGES
from apps.background_sources.sources.recipe import RECIPE
from apps.background_sources.sources.source import BackgroundSource
from apps.background_sources.sources.topic_examples import TOPIC_EXAMPLES
from apps.background_sources.sources.uploaded_corpus import UPLOADED_CORPUS
from apps.background_sources.sources.web_sample import WEB_SAMPLE
from apps.backgrounds.models import Background

SOURCES: Mapping[str, BackgroundSource] = {
    source.id: source
    for source in (
        TOPIC_EXAMPLES,
        WEB_SAMPLE,
        EARLIER_CRAWLS,
        UPLOADED_CORPUS,
        GATHERED_PAGES,
        RECIPE,
    )
}


def options_of(background: Background) -> Any:
    """The options of a background, validated by its source. Raises Refused."""
    return SOURCES[background.source].options.read(background.options)

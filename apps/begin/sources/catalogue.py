"""The sources of candidate pages, in the order in which they are asked."""

from __future__ import annotations

from apps.begin.sources.answered_yes import ANSWERED_YES
from apps.begin.sources.given_sites import GIVEN_SITES
from apps.begin.sources.recorded_webs import RECORDED_WEBS
from apps.begin.sources.searxng import SEARXNG
from apps.begin.sources.site_lists import SITE_LISTS
from apps.begin.sources.source import CandidateSource
from apps.begin.sources.web_archive import WEB_ARCHIVE

SOURCES: tuple[CandidateSource, ...] = (
    GIVEN_SITES,
    SITE_LISTS,
    RECORDED_WEBS,
    SEARXNG,
    WEB_ARCHIVE,
    ANSWERED_YES,
)

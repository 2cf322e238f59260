"""The links of pages that were answered with yes."""

from __future__ import annotations

from collections.abc import Iterator

from apps.begin.models import CandidatePage
from apps.begin.sources.given_sites import best_links
from apps.begin.sources.source import CandidateSource, OfferedPage, SourceRequest


def _ask(search: SourceRequest) -> Iterator[OfferedPage]:
    for page in search.draft.candidates.filter(answer=CandidatePage.GivenAnswer.YES):
        yield from best_links(page, search.words, "a link of a yes")


ANSWERED_YES = CandidateSource("answered_yes", "links of your yes pages", _ask)

"""The hosts of a topic as files."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404

from apps.accounts.requests import SignedInRequest
from apps.exports.csv import CsvLines
from apps.exports.streaming import in_threads, pieces
from apps.hosts.downloads import COLUMNS, cells, gexf
from apps.hosts.listing import HostListing, HostSearch
from apps.hosts.models import HostSummary
from apps.hosts.tasks import refresh
from apps.screens.answers import attached
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics


def as_csv(request: SignedInRequest, pk: int) -> StreamingHttpResponse:
    """The hosts of the search in the address, one a line."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    refresh(topic)
    rows = HostListing(topic, HostSearch.read(request.GET)).matches
    return StreamingHttpResponse(
        in_threads(pieces(_lines(topic, rows))),
        content_type="text/csv; charset=utf-8",
        headers=attached(f"topic-{pk}-hosts.csv"),
    )


def as_gexf(request: SignedInRequest, pk: int) -> StreamingHttpResponse:
    """All linked hosts and the links between them."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    refresh(topic)
    return StreamingHttpResponse(
        in_threads(pieces(gexf(topic))),
        content_type="application/gexf+xml",
        headers=attached(f"topic-{pk}-hosts.gexf"),
    )


def _lines(topic: Topic, rows: QuerySet[HostSummary]) -> Iterator[bytes]:
    lines = CsvLines(COLUMNS)
    yield lines.heading()
    for row in cells(topic, rows):
        yield lines.line(row)

"""The dossier of a host: the screen, and the same as JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render

from apps.accounts.requests import SignedInRequest
from apps.crawls.selectors import visible_crawls
from apps.dossiers.dossier import Dossier, host_named, make_dossier
from apps.dossiers.plain import as_plain
from apps.exports.csv import CsvLines
from apps.exports.streaming import in_threads, pieces
from apps.screens.answers import attached, json_file
from apps.screens.dossier import page
from apps.topics.selectors import visible_topics

COLUMNS = ("at", "url", "purpose", "status", "failure", "bytes", "retry_after", "gap", "crawl", "t")


def dossier(request: SignedInRequest, pk: int, host: str) -> HttpResponse:
    """Everything that the topic's crawls asked of the host."""
    made = _dossier(request, pk, host)
    return render(request, "dossier/page.html", page.context(made, request.GET.get("page")))


def as_json(request: SignedInRequest, pk: int, host: str) -> JsonResponse:
    """The whole dossier for a program."""
    made = _dossier(request, pk, host)
    return json_file(as_plain(made), f"dossier-{made.host.replace(':', '-')}.json")


def as_csv(request: SignedInRequest, pk: int, host: str) -> StreamingHttpResponse:
    """A line a request, the oldest first."""
    made = _dossier(request, pk, host)
    return StreamingHttpResponse(
        in_threads(pieces(_lines(made))),
        content_type="text/csv; charset=utf-8",
        headers=attached(f"requests-{made.host.replace(':', '-')}.csv"),
    )


def _dossier(request: SignedInRequest, pk: int, host: str) -> Dossier:
    """The dossier over the crawls that the person may see. Raises Http404."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    name = host_named(host)
    if name is None:
        raise Http404(host)
    return make_dossier(topic, name, visible_crawls(request.user).filter(topic=topic))


def _lines(made: Dossier) -> Iterator[bytes]:
    lines = CsvLines(COLUMNS)
    yield lines.heading()
    for row in made.requests:
        cells = (
            row.at.isoformat(timespec="milliseconds"),
            row.url,
            row.purpose,
            row.status,
            row.failure,
            row.size,
            row.retry_after,
            row.gap,
            row.crawl,
            row.seq,
        )
        yield lines.line(dict(zip(COLUMNS, cells, strict=True)))

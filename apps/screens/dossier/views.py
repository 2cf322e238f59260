"""The dossier of a host: the screen, and the same as JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.selectors import visible_crawls
from apps.dossiers import taking_down
from apps.dossiers.dossier import Dossier, host_named, make_dossier
from apps.dossiers.plain import as_plain
from apps.dossiers.taking_down import WEEK, TakeDownRefused
from apps.exports.csv import CsvLines
from apps.exports.streaming import in_threads, pieces
from apps.figures.quantities import number_of
from apps.screens.answers import attached, json_file
from apps.screens.dossier import page
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics

COLUMNS = ("at", "url", "purpose", "status", "failure", "bytes", "retry_after", "gap", "crawl", "t")


def dossier(request: SignedInRequest, pk: int, host: str) -> HttpResponse:
    """Everything that the topic's crawls asked of the host."""
    made = _dossier(request, pk, host)
    shown = page.context(made, request.user, request.GET.get("page"))
    return render(request, "dossier/page.html", {**shown, **page.take_downs(made, request.user)})


def take_down(request: SignedInRequest, pk: int, host: str) -> HttpResponse:
    """Asks with the numbers, then takes the host's pages down; for the topic's owner and
    administrators."""
    topic, name = _topic_and_host(request, pk, host)
    if not taking_down.may_take_down(request.user, topic):
        raise PermissionDenied
    if request.method == "POST":
        try:
            row = taking_down.take_down(request.user, topic, name)
            messages.success(request, f"{number_of(row.pages, 'page')} of {name} taken down.")
        except TakeDownRefused as refusal:
            messages.error(request, refusal.message)
        return redirect("dossier:host", pk, name)
    loss = taking_down.loss_of(request.user, name)
    asked = {"topic": topic, "host": name, "loss": loss, "erase_at": timezone.now() + WEEK}
    return render(request, "dossier/take_down.html", asked)


@require_POST
def undo_take_down(request: SignedInRequest, pk: int, host: str) -> HttpResponse:
    """Shows the host's pages again; for administrators."""
    topic, name = _topic_and_host(request, pk, host)
    row = taking_down.in_force(topic, name)
    if row is None:
        raise Http404(host)
    try:
        taking_down.undo(row, request.user)
        messages.success(request, f"The pages of {name} are shown again.")
    except TakeDownRefused as refusal:
        messages.error(request, refusal.message)
    return redirect("dossier:host", pk, name)


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
    topic, name = _topic_and_host(request, pk, host)
    return make_dossier(topic, name, visible_crawls(request.user).filter(topic=topic))


def _topic_and_host(request: SignedInRequest, pk: int, host: str) -> tuple[Topic, str]:
    """The topic, if the person may see it, and the host's name. Raises Http404."""
    topic, name = get_object_or_404(visible_topics(request.user), pk=pk), host_named(host)
    if name is None:
        raise Http404(host)
    return topic, name


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

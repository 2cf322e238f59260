"""The addresses that a crawl, or all crawls of a topic, met and did not collect: screens, remedies,
lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.errors import CrawlRefused
from apps.crawls.left_out.reasons import REASONS
from apps.crawls.left_out.remedies import REMEDIES
from apps.crawls.left_out.rows import AddressChoice, LeftOutRow, every_row
from apps.crawls.left_out.summary import summarise
from apps.crawls.models import Crawl
from apps.crawls.selectors import editable_crawls, many_of_topic, visible_crawls
from apps.exports.csv import CsvLines
from apps.exports.streaming import in_threads, pieces
from apps.screens.answers import attached
from apps.screens.left_out import page, topic_page
from apps.topics.definition.lines import storable
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics

OF_ONE = frozenset(
    {"include_host", "include_pattern", "allow_certificate", "check_certificate", "undo"}
)
"""The commands for one host or pattern, or that undo an event."""
COLUMNS = ("address", "host", "group", "reason", "code", "detail", "priority", "linked_from", "at")


def left_out(request: SignedInRequest, pk: int) -> HttpResponse:
    """Everything that a crawl met and did not take."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    may_change = editable_crawls(request.user).filter(pk=pk).exists()
    return render(request, "left_out/page.html", page.context(crawl, request.GET, may_change))


@require_POST
def act(request: SignedInRequest, pk: int) -> HttpResponse:
    """Carries out the remedy of a `reason`, or a command with its `value`; for people who may
    steer."""
    crawl = get_object_or_404(editable_crawls(request.user), pk=pk)
    try:
        messages.success(request, _act(request, crawl) or "Done.")
    except CrawlRefused as refusal:
        messages.error(request, refusal.message)
    answer = redirect("left_out:crawl", pk)
    if request.POST.get("open") in REASONS:
        answer["Location"] += f"?open={request.POST['open']}#{request.POST['open']}"
    return answer


def _act(request: SignedInRequest, crawl: Crawl) -> str:
    reason = REASONS.get(request.POST.get("reason", ""))
    if reason is not None and reason.id in REMEDIES:
        (count,) = summarise([crawl], AddressChoice(reason), examples=0).reasons or (None,)
        if count is None:
            raise CrawlRefused("reason", "Nothing is left out for that reason any more.")
        return REMEDIES[reason.id].carry_out(crawl, count, request.user)
    name = request.POST.get("action", "")
    if name not in OF_ONE:
        raise CrawlRefused("action", "There is no such action.")
    return COMMANDS[name].act(crawl, storable(request.POST.get("value", "")), request.user)


def download(request: SignedInRequest, pk: int) -> StreamingHttpResponse:
    """Every address that was not taken, one a line; `?reason=` those of one reason."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    return _list(request, [crawl], COLUMNS, f"crawl-{pk}-left-out.csv")


def left_out_of_topic(request: SignedInRequest, pk: int) -> HttpResponse:
    """The addresses that the crawls of a topic met and did not collect."""
    topic, crawls = _topic_with_crawls(request, pk)
    return render(request, "left_out/topic.html", topic_page.context(topic, crawls, request.GET))


def download_of_topic(request: SignedInRequest, pk: int) -> StreamingHttpResponse:
    """The list of all crawls of a topic as a file, with the number of the crawl in each line."""
    _, crawls = _topic_with_crawls(request, pk)
    return _list(request, crawls, ("crawl", *COLUMNS), f"topic-{pk}-left-out.csv")


def _topic_with_crawls(request: SignedInRequest, pk: int) -> tuple[Topic, list[Crawl]]:
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    return topic, many_of_topic(topic, request.user)


def _list(
    request: SignedInRequest, crawls: Sequence[Crawl], columns: Sequence[str], name: str
) -> StreamingHttpResponse:
    choice = AddressChoice(REASONS.get(request.GET.get("reason", "")))
    return StreamingHttpResponse(
        in_threads(pieces(_lines(crawls, choice, columns))),
        content_type="text/csv; charset=utf-8",
        headers=attached(name),
    )


def _lines(
    crawls: Sequence[Crawl], choice: AddressChoice, columns: Sequence[str]
) -> Iterator[bytes]:
    lines = CsvLines(columns)
    yield lines.heading()
    for row in every_row(crawls, choice):
        yield lines.line(_cells(row))


def _cells(row: LeftOutRow) -> dict[str, object]:
    cells = (
        row.url,
        row.host,
        row.reason.group.value,
        row.reason.title,
        row.code,
        row.detail,
        row.priority,
        row.linked_from,
        row.at.isoformat(timespec="seconds") if row.at else "",
    )
    return {**dict(zip(COLUMNS, cells, strict=True)), "crawl": row.crawl}

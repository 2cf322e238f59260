"""The watch of a topic: the screen, the list of changes as CSV, and a digest as it is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Max
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from apps.accounts.requests import SignedInRequest
from apps.crawls.selectors import visible_crawls
from apps.exports.csv import CsvLines
from apps.exports.streaming import in_threads, pieces
from apps.schemas.input import MOST_KEY
from apps.schemas.numbers import whole_number
from apps.screens.answers import attached
from apps.screens.edit_conflicts import BASE, EditConflict, base_of
from apps.screens.watch.asked_searches import list_searches
from apps.screens.watch.rows import STATES, WORDS, SightingRow, sighting_rows, sightings
from apps.screens.watch.settings_form import WatchForm, form_of
from apps.screens.watch.telling import carrier_rows, log_rows
from apps.screens.watch.timeline import timeline
from apps.screens.watch.versions import DifferenceView, difference_view
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics, visible_topics
from apps.watches.digest_text import text_of, title_of
from apps.watches.digests import NEWS
from apps.watches.models import Digest, Observation, PageState, Watch
from apps.watches.search_news import content_for, matched_since
from apps.watches.seen import news_counts, seen_until, was_visited
from apps.watches.selectors import coming_visits, requests_a_month, visible_watches, watch_of
from apps.watches.visits.thinning import bytes_of

ROWS = 25
COLUMNS = ("state", "title", "address", "host", "seen", "visit", "line", "version", "relevant")
NOTHING_WRONG = ("", "", "")


def watch(
    request: SignedInRequest,
    pk: int,
    form: WatchForm | None = None,
    wrong: tuple[str, str, str] = NOTHING_WRONG,
    conflict: EditConflict | None = None,
) -> HttpResponse:
    """The watch of a topic, or what one would do. `form` and `wrong` come back with what is wrong
    in them; `conflict` is how the settings were changed since the form was opened."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    may_change = editable_topics(request.user).filter(pk=pk).exists()
    existing, now = watch_of(topic), timezone.now()
    context: dict[str, Any] = {
        "topic": topic,
        "watch": existing,
        "form": form or form_of(existing),
        "may_change": may_change,
        "now": now,
        "conflict": conflict,
        "base": base_of(form_of(existing))
        if existing and form is None
        else request.POST.get(BASE, ""),
    }
    if existing is None:
        context["crawled"] = visible_crawls(request.user).filter(topic=topic, pages__gt=0).exists()
        return render(request, "watch/start.html", context)
    context |= _news(request, existing) | _standing(existing, now)
    seen = context["seen"]
    context |= {
        "timeline": timeline(existing, seen, now),
        "carriers": carrier_rows(existing, request.user, request, now, wrong),
        "deliveries": log_rows(existing, request.user),
        "digests": _news_digests(existing)[:5],
        "searches": list_searches(
            existing, request.user, context["since_when"], context["matched"]
        ),
    }
    status = 200 if conflict is None else 409
    return render(request, "watch/watch.html", context, status=status)


def waiting(request: SignedInRequest, pk: int) -> JsonResponse:
    """How many pages are new, changed or gone after the observation `after`, in JSON."""
    watch = get_object_or_404(visible_watches(request.user), topic=pk)
    after = min(whole_number(request.GET.get("after", "")) or 0, MOST_KEY)
    later = Observation.objects.filter(visit__watch=watch, state__in=NEWS, pk__gt=after)
    return JsonResponse({"new": later.values("page").distinct().count()})


def _standing(watch: Watch, now: datetime) -> dict[str, Any]:
    """Settings, next visits and costs."""
    ended = watch.visits_made.filter(ended_at__isnull=False)
    requests = sum(ended.values_list("requests", flat=True))
    unchanged = Observation.objects.filter(visit__watch=watch, code="not_modified").count()
    watched = watch.pages.filter(is_watched=True)
    days = max(1, (now - watch.created_at).days)
    pages, last = watched.count(), ended.order_by("-number").first()
    return {
        "under_way": watch.visits_made.filter(ended_at=None).first(),
        "last_visit": last,
        "coming": coming_visits(watch, now),
        "monthly": requests_a_month(watch, now),
        "pages": pages,
        "hosts": watched.values("host").distinct().count(),
        "requests": requests,
        "unchanged": unchanged,
        "bytes": bytes_of(watch),
        "thinned": sum(ended.values_list("thinned", flat=True)),
        "of_all": requests / (pages * days) if pages and last else None,
    }


def _news(request: SignedInRequest, watch: Watch) -> dict[str, Any]:
    """The rows that are asked for, and what there is since the person looked."""
    asked = request.GET
    seen = seen_until(watch, request.user)
    state = asked.get("state", "")
    state = state if state in PageState.values else ""
    day, everything = _day(asked.get("day", "")), asked.get("since") == "start"
    rows = sightings(watch, [state] if state else NEWS, None if everything else seen, day)
    since = watch.created_at if everything or day else seen
    matched = matched_since(watch, request.user, since)
    search = whole_number(asked.get("search", ""))
    if search is not None:
        rows = rows.filter(pk__in=matched.get(search, ()))
    found = Paginator(rows, ROWS).get_page(asked.get("page"))
    listed = sighting_rows(list(found), request.user)
    opened = whole_number(asked.get("open", ""))
    newest = Observation.objects.filter(visit__watch=watch).order_by("-at").first()
    last = Observation.objects.filter(visit__watch=watch).aggregate(pk=Max("pk"))["pk"]
    number = str(found.number) if found.number > 1 else ""
    rest = {
        "day": asked.get("day", "") if day else "",
        "since": "start" if everything else "",
        "search": "" if search is None else str(search),
    }
    return {
        "seen": seen,
        "has_looked": seen > watch.created_at,
        "counts": news_counts(watch, seen),
        "visited": was_visited(watch, seen),
        "newest": newest.at if newest else watch.created_at,
        "last": last or 0,
        "was_marked": asked.get("seen") == "1",
        "state": state,
        "search": search,
        "matched": matched,
        "since_when": since,
        "states": [(name.value, WORDS[name]) for name in STATES],
        "day": day,
        "everything": everything,
        "page": found,
        "rows": listed,
        "can_label": any(row.mine for row in listed),
        "opened": opened,
        "open_at": _query({**rest, "state": state, "page": number, "open": str(opened or "")}),
        "closed_at": _query({**rest, "state": state, "page": number}),
        "view": _opened(listed, opened),
        "sides": asked.get("view") == "sides",
        "kept": _query({**rest, "state": state}),
        "rest": _query(rest),
    }


def _query(asked: Mapping[str, str]) -> str:
    """The query string of the request, to append to an address."""
    return urlencode({name: value for name, value in asked.items() if value})


def _opened(rows: list[SightingRow], opened: int | None) -> DifferenceView | None:
    for row in rows:
        if row.seen.pk == opened and row.before and row.seen.version:
            return difference_view(row.before, row.seen.version)
    return None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _news_digests(watch: Watch) -> Any:
    rows = Digest.objects.filter(watch=watch, composed_at__isnull=False)
    return rows.exclude(contains=Digest.Content.EMPTY).order_by("-at", "-pk")


def digest(request: SignedInRequest, pk: int, digest: int) -> HttpResponse:
    """A digest as this person's mails have it."""
    watch = get_object_or_404(visible_watches(request.user), topic=pk)
    shown = get_object_or_404(_news_digests(watch), pk=digest)
    base = request.build_absolute_uri("/").rstrip("/")
    content = content_for(shown, request.user)
    context = {
        "topic": watch.topic,
        "digest": shown,
        "title": title_of(content),
        "text": text_of(content, base),
    }
    return render(request, "watch/digest.html", context)


def download(request: SignedInRequest, pk: int) -> StreamingHttpResponse:
    """Everything new, changed and gone since the start, one page at a visit a line."""
    watch = get_object_or_404(visible_watches(request.user), topic=pk)
    return StreamingHttpResponse(
        in_threads(pieces(_lines(watch))),
        content_type="text/csv; charset=utf-8",
        headers=attached(f"topic-{pk}-changes.csv"),
    )


def _lines(watch: Watch) -> Iterator[bytes]:
    lines = CsvLines(COLUMNS)
    yield lines.heading()
    rows = list(sightings(watch, NEWS, None, None).values_list("pk", flat=True))
    for start in range(0, len(rows), ROWS):
        chunk = Observation.objects.filter(pk__in=rows[start : start + ROWS])
        seen = chunk.select_related("page", "visit", "version").order_by("-at", "-pk")
        for row in sighting_rows(list(seen)):
            yield lines.line(_cells(row))


def _cells(row: SightingRow) -> dict[str, object]:
    seen = row.seen
    cells = (
        seen.state,
        row.title,
        seen.page.url,
        seen.page.host,
        seen.at.isoformat(timespec="seconds"),
        seen.visit.number,
        row.line.text,
        seen.version.number if seen.version else "",
        "" if row.relevant is None else row.relevant,
    )
    return dict(zip(COLUMNS, cells, strict=True))


def topic_of(request: SignedInRequest, pk: int) -> Topic:
    """A topic that the person may change."""
    return get_object_or_404(editable_topics(request.user), pk=pk)

"""The versions of a watched page, read and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from apps.accounts.requests import SignedInRequest
from apps.main_text.article import unpack
from apps.schemas.numbers import whole_number
from apps.screens.watch.rows import WORDS
from apps.watches.changes import answer_words, compare_versions
from apps.watches.claiming import UNCOUNTED, PassedCopy, read_passed
from apps.watches.models import Observation, PageState, PageVersion, TaughtBlock, WatchedPage
from apps.watches.selectors import editable_watches, visible_watches
from apps.watches.text_changes.differences import Difference, Edit, Passage
from apps.watches.text_changes.passing_values import Noise

MOST_VISITS = 20
NOISE = {
    Noise.DATE: "dates that follow the clock",
    Noise.COUNTER: "counters",
    Noise.SESSION: "numbers of sessions",
    Noise.MENU: "menus",
    Noise.ADVERTISEMENT: "advertisements",
    Noise.COOKIES: "cookie notices",
    Noise.TAUGHT: "blocks that you said are no change",
}


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """A difference to be read: passages that have changed, and between them how many are the
    same."""

    before: PageVersion
    after: PageVersion
    difference: Difference
    parts: tuple[Passage | int, ...]
    passed: str


def difference_view(before: PageVersion, after: PageVersion) -> DifferenceView:
    """Two versions compared, for the screen."""
    difference = compare_versions(before, after)
    kinds = dict.fromkeys(
        NOISE[p.noise] for p in difference.passages if p.edit is Edit.PASSED and p.noise
    )
    return DifferenceView(
        before, after, difference, tuple(_parts(difference.passages)), ", ".join(kinds)
    )


def _parts(passages: Iterable[Passage]) -> Iterator[Passage | int]:
    same = 0
    for passage in passages:
        if passage.counts:
            if same:
                yield same
                same = 0
            yield passage
        elif passage.edit in (Edit.SAME, Edit.MOVED):
            same += 1
    if same:
        yield same


@dataclass(frozen=True, slots=True)
class PassedView:
    """The last copy of a page whose difference was not counted: when it was read, the blocks that
    differ as (before, after), and why they were passed over."""

    at: datetime
    version: PageVersion
    blocks: tuple[tuple[str, str], ...]
    passed: str


def _passed_view(passed: PassedCopy | None) -> PassedView | None:
    if passed is None:
        return None
    differing = [p for p in passed.difference.passages if p.edit not in UNCOUNTED]
    kinds = dict.fromkeys(NOISE[p.noise] for p in differing if p.noise)
    blocks = tuple((p.before, p.after) for p in differing)
    return PassedView(passed.seen.at, passed.before, blocks, ", ".join(kinds)) if blocks else None


def _last_claim(page: WatchedPage) -> Observation | None:
    """The last observation of a page of which somebody has said that it was a change."""
    claims = TaughtBlock.objects.filter(observation__page=page, is_change=True)
    last = claims.select_related("observation").order_by("-pk").first()
    return last.observation if last else None


def page(request: SignedInRequest, pk: int, page: int) -> HttpResponse:
    """A watched page: its versions, `?from=` and `?to=` compared, or `?read=` one of them."""
    watch = get_object_or_404(visible_watches(request.user), topic=pk)
    watched = get_object_or_404(watch.pages, pk=page)
    versions = list(watched.versions.order_by("-number"))
    numbered = {version.number: version for version in versions}
    read = numbered.get(whole_number(request.GET.get("read", "")) or 0)
    after = numbered.get(whole_number(request.GET.get("to", "")) or 0) or next(iter(versions), None)
    earlier = [each for each in versions if after and each.number < after.number]
    before = numbered.get(whole_number(request.GET.get("from", "")) or 0)
    if before is None or (after and before.number >= after.number):
        before = next(iter(earlier), None)
    view = difference_view(before, after) if before and after and not read else None
    context = {
        "watch": watch,
        "topic": watch.topic,
        "page": watched,
        "versions": versions,
        "read": read,
        "blocks": unpack(bytes(read.blocks)) if read else (),
        "view": view,
        "may_change": editable_watches(request.user).filter(pk=watch.pk).exists(),
        "passed": _passed_view(read_passed(watched)),
        "claimed": _last_claim(watched),
        "at": f"?from={before.number}&to={after.number}" if before and after else "?",
        "sides": request.GET.get("view") == "sides",
        "observations": [
            (each.at, WORDS[PageState(each.state)], answer_words(each.code) if each.code else "")
            for each in watched.observations.order_by("-pk")[:MOST_VISITS]
        ],
    }
    return render(request, "watch/page.html", context)

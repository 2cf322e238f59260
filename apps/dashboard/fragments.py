"""The pieces of HTML that change while a crawl runs, by the id of the element they fill.

The same templates fill the page when it is loaded and when a message arrives.
"""

from __future__ import annotations

from django.template.loader import get_template

from apps.crawls.labelling import ENOUGH, is_asked, pending
from apps.crawls.messages import failure_words
from apps.crawls.models import Crawl
from apps.crawls.undoing import undoable
from apps.dashboard.captions import captions
from apps.dashboard.feed_pages import page_rows
from apps.dashboard.happenings import happenings
from apps.dashboard.heat import heat_map
from apps.dashboard.progress import progress
from apps.dashboard.queue import queue_context
from apps.dashboard.readings import QUEUE_SHOWN, Reading
from apps.dashboard.standing import standing
from apps.engine.model import State

Fragments = dict[str, str]


def fragments(reading: Reading) -> Fragments:
    """All pieces but the rows of the feed."""
    crawl = reading.crawl
    now = standing(crawl, reading.hosts.free, reading.hosts.known)
    head = {"crawl": crawl, "standing": now, "progress": progress(reading)}
    pieces = {
        "standing": _render("standing", head),
        "bar-standing": _render("bar", head),
        "events": _render("events", _events(reading)),
        "labels": labels_fragment(crawl),
        "map": _render("map", {"map": heat_map(reading.heat), "crawl": crawl}),
        "frontier": _render("frontier", _frontier(reading)),
        "errors": _render("errors", {"crawl": crawl, "kinds": _error_kinds(reading)}),
        "hosts-known": _render("hosts_known", {"hosts": reading.hosts}),
        "hosts": _render("hosts", {"crawl": crawl, "hosts": reading.hosts, "at": reading.at}),
    }
    for name in ("pages", "speed", "left", "active", "relevant", "failed"):
        pieces[f"figure-{name}"] = _render(f"figures/{name}", head)
    for id, caption in captions(crawl, reading.trajectory).items():
        context = {"caption": caption, "crawl": crawl}
        pieces[f"caption-{id}"] = _render("caption", context)
        pieces[f"empty-{id}"] = _render("empty", context)
    return pieces


def rows(reading: Reading, after: int) -> list[str]:
    """The feed's rows for pages beyond number `after`, newest first."""
    return page_rows(reading.crawl, [page for page in reading.pages if page.seq > after])


def labels_fragment(crawl: Crawl) -> str:
    """How many labels wait to be learned from, and whether a crawl at rest will."""
    rests = crawl.state not in (State.QUEUED, State.RUNNING)
    return _render("labels", {
        "pending": pending(crawl), "enough": ENOUGH, "later": rests and is_asked(crawl),
    })


def _render(name: str, context: dict[str, object]) -> str:
    return str(get_template(f"dashboard/{name}.html").render(context)).strip()


def _events(reading: Reading) -> dict[str, object]:
    crawl = reading.crawl
    return {
        "crawl": crawl,
        "happenings": happenings(reading.events, undoable(crawl, reading.events)),
        "more": max(0, reading.events_count - len(reading.events)),
    }


def _frontier(reading: Reading) -> dict[str, object]:
    crawl = reading.crawl
    return {
        "crawl": crawl,
        **queue_context(crawl, crawl.queue_head[:QUEUE_SHOWN]),
        "hosts": reading.hosts,
        "patterns": crawl.scope.get("deny_patterns", ()),
        "excluded": sorted(crawl.excluded_reasons.items(), key=lambda pair: -pair[1]),
    }


def _error_kinds(reading: Reading) -> list[tuple[int, str, str]]:
    """(how many, in words, kind), the most frequent first."""
    kinds = sorted(reading.crawl.errors.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(number, failure_words(kind), kind) for kind, number in kinds]

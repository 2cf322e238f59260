"""The pieces of HTML that change while a crawl runs, by the id of their element.

The same templates fill the page when it is loaded and when a message arrives.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.template.loader import get_template
from django.utils.html import escape

from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.commands.labelling.label_effects import HEEDED
from apps.crawls.commands.labelling.labels import ENOUGH
from apps.crawls.commands.labelling.retrain import is_asked, pending
from apps.crawls.commands.scope.exclude_pattern import denied
from apps.crawls.commands.undo import Done, undoable, waiting
from apps.crawls.heat import Heat
from apps.crawls.labels.counted import CountedLabel, count_labels, labelled_pages
from apps.crawls.labels.proposals import FIRST_AFTER, GOAL, LabelQueue, label_queue
from apps.crawls.labels.requests import answer_request
from apps.crawls.models import Crawl
from apps.crawls.rendered import rendered_counts
from apps.crawls.site_lists import site_list_counts
from apps.engine.codes import State
from apps.screens.live.captions import captions
from apps.screens.live.event_rows import event_rows, waiting_rows
from apps.screens.live.fetch_errors import FetchErrors
from apps.screens.live.frontier_head import queue_context
from apps.screens.live.heat import heat_map
from apps.screens.live.learned import learned
from apps.screens.live.live_state import QUEUE_SHOWN, LiveState
from apps.screens.live.outlook import outlook
from apps.screens.live.page_header import page_header
from apps.screens.live.progress import progress
from apps.screens.live.state_badge import state_badge

Fragments = dict[str, str]
ROW = "row"
"""The piece that no element shows: the newest row of pages, without labels, as it was sent."""


def fragments(state: LiveState) -> Fragments:
    """All pieces except the rows of pages."""
    crawl, counted = state.crawl, count_labels(state.crawl)
    now = state_badge(crawl, state.hosts.free, state.hosts.total)
    head = {"crawl": crawl, "badge": now, "progress": progress(state)}
    pieces = {
        "state-badge": _render("state_badge", head),
        "bar-state-badge": _render("bar", head),
        "events": _render("events", _events(state)),
        "labels": labels_fragment(crawl, counted),
        "parameters": _render("parameters", {"crawl": crawl, "about": page_header(crawl)}),
        "annotations": _render("annotations", {"crawl": crawl}),
        "map": _render("map", {"map": heat_map(Heat.of(crawl.heat)), "crawl": crawl}),
        "frontier": _render("frontier", _frontier(state)),
        "outlook": _render(
            "outlook",
            {
                "crawl": crawl,
                "outlook": outlook(crawl, labelled_pages(crawl)),
            },
        ),
        "errors": _render(
            "errors",
            {
                "crawl": crawl,
                "fetch_errors": FetchErrors.of(crawl.errors),
            },
        ),
        "hosts-known": _render("hosts_known", {"hosts": state.hosts}),
        "hosts": _render("hosts", {"crawl": crawl, "hosts": state.hosts, "at": state.at}),
    }
    if (weights := learned(state)) is not None:
        pieces["learned"] = _render("learned", {"learned": weights})
    pieces |= _proposals(crawl, counted)
    for name in ("pages", "speed", "left", "active", "relevant", "failed"):
        pieces[f"figure-{name}"] = _render(f"figures/{name}", head)
    for id, caption in captions(crawl, state.trajectory).items():
        context = {"caption": caption, "crawl": crawl}
        pieces[f"title-{id}"] = escape(caption.title)
        pieces[f"caption-{id}"] = _render("caption", context)
        pieces[f"empty-{id}"] = _render("empty", context)
        pieces[f"reading-{id}"] = escape(caption.summary)
    return pieces


def labels_fragment(crawl: Crawl, counted: Mapping[int, CountedLabel] | None = None) -> str:
    """How many labels are not yet learned from, and whether a crawl at rest will learn from
    them; `counted` as of `pending`."""
    rests = crawl.state not in (State.QUEUED, State.RUNNING)
    return _render(
        "labels",
        {
            "pending": pending(crawl, counted),
            "enough": ENOUGH,
            "later": rests and is_asked(crawl),
        },
    )


def _proposals(crawl: Crawl, counted: Mapping[int, CountedLabel]) -> Fragments:
    """The pages to label first, and how many labels are to go; nothing if labels change nothing."""
    queue = label_queue(crawl, counted=counted)
    if queue is None:
        return {}
    context = {"queue": queue, "first_after": FIRST_AFTER}
    return {"proposals": _render("proposals", context), "label-goal": _goal(crawl, queue)}


def goal_fragment(crawl: Crawl) -> str:
    """How many labels are given, of how many; empty if labels change nothing."""
    queue = label_queue(crawl, most=0)
    return "" if queue is None else _goal(crawl, queue)


def _goal(crawl: Crawl, queue: LabelQueue) -> str:
    asks = answer_request(crawl)
    return _render("label_goal", {"queue": queue, "goal": GOAL, "asks": asks and asks.words()})


def _render(name: str, context: dict[str, object]) -> str:
    return str(get_template(f"live/{name}.html").render(context)).strip()


def _events(state: LiveState) -> dict[str, object]:
    crawl = state.crawl
    changes = (
        []
        if crawl.state == State.RUNNING
        else [change for change in waiting(crawl) if change.kind != HEEDED]
    )
    newest = [*map(Done.of_change, changes), *map(Done.of_event, state.events)]
    keys = undoable(crawl, newest, EVENT_KINDS)
    rows = [*waiting_rows(crawl, changes, keys), *event_rows(crawl, state.events, keys)]
    return {
        "crawl": crawl,
        "event_rows": rows,
        "more": max(0, state.events_count - len(state.events)),
    }


def _frontier(state: LiveState) -> dict[str, object]:
    crawl = state.crawl
    return {
        "crawl": crawl,
        **queue_context(crawl, crawl.queue_head[:QUEUE_SHOWN]),
        "hosts": state.hosts,
        "site_lists": site_list_counts(crawl),
        "rendered": rendered_counts(crawl),
        "patterns": denied(crawl),
        "excluded": sorted(crawl.excluded_reasons.items(), key=lambda pair: -pair[1]),
    }

"""The verbs of a crawl, by the name that the forms of its live page and the API send."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib.auth.models import AbstractUser

from apps.crawls import labelling, services, sharing, steering, undoing
from apps.crawls.models import Crawl
from apps.crawls.services import CrawlRefused
from apps.engine.model import State, StopReason

Action = Callable[[Crawl, AbstractUser, str], str | None]


def _start(crawl: Crawl, by: AbstractUser, value: str) -> None:
    services.start(crawl)


def _pause(crawl: Crawl, by: AbstractUser, value: str) -> None:
    services.pause(crawl, by)


def _resume(crawl: Crawl, by: AbstractUser, value: str) -> None:
    services.resume(crawl)


def _stop(crawl: Crawl, by: AbstractUser, value: str) -> None:
    services.stop(crawl, by)


def _budget(crawl: Crawl, by: AbstractUser, value: str) -> None:
    """A new budget; a crawl that has ended goes on with it."""
    try:
        number = int(value)
    except ValueError:
        raise CrawlRefused("budget", "Give a whole number of pages.") from None
    if crawl.state in (State.FINISHED, State.FAILED):
        services.continue_with(crawl, number, by)
    else:
        services.change_budget(crawl, number, by)


def _delta(crawl: Crawl, by: AbstractUser, value: str) -> str:
    try:
        delta = float(value)
    except ValueError:
        raise CrawlRefused("delta", "δ lies between 0 and 1.") from None
    services.change_delta(crawl, delta, by)
    return _unless_running(crawl)


def _seeds(crawl: Crawl, by: AbstractUser, value: str) -> str:
    """Good lines are taken; bad ones are named. A crawl that ran out of links goes on."""
    added = steering.add_seeds(crawl, value, by)
    number = len(added.urls)
    _go_on(crawl)
    said = [f"{number:,} seed{'s' * (number != 1)} added.", steering.bad_lines(added.errors)]
    return " ".join([*filter(None, said), steering.when(crawl)])


def _go_on(crawl: Crawl) -> None:
    """Starts a crawl again that ended for want of links, once there are some."""
    if crawl.reason in (StopReason.FRONTIER_EMPTY, StopReason.NO_SEEDS) and crawl.state in (
        State.FINISHED, State.FAILED
    ):
        services.resume(crawl)


def _leave_out(crawl: Crawl, by: AbstractUser, value: str) -> str:
    steering.leave_out_host(crawl, value, by)
    return _unless_running(crawl)


def _take_in(crawl: Crawl, by: AbstractUser, value: str) -> str:
    steering.take_in_host(crawl, value, by)
    return _unless_running(crawl)


def _exclude(crawl: Crawl, by: AbstractUser, value: str) -> str:
    steering.exclude_pattern(crawl, value, by)
    return _unless_running(crawl)


def _include(crawl: Crawl, by: AbstractUser, value: str) -> str:
    steering.include_pattern(crawl, value, by)
    return _unless_running(crawl)


def _undo(crawl: Crawl, by: AbstractUser, value: str) -> str:
    event = crawl.events.filter(seq=int(value)).first() if _is_number(value) else None
    if event is None:
        raise CrawlRefused("event", "There is no such event.")
    undoing.undo(crawl, event, by)
    if event.kind == "trap":
        _go_on(crawl)
    return _unless_running(crawl)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _share(crawl: Crawl, by: AbstractUser, value: str) -> str:
    sharing.share(crawl)
    return "Everybody who can sign in may look at this crawl now; only you may steer it."


def _unshare(crawl: Crawl, by: AbstractUser, value: str) -> str:
    sharing.unshare(crawl)
    return "Only you see this crawl now."


def _retrain(crawl: Crawl, by: AbstractUser, value: str) -> str:
    labelling.retrain(crawl, by)
    return "" if crawl.state == State.RUNNING else steering.when(crawl)


def _unless_running(crawl: Crawl) -> str:
    """When it takes effect, where the page does not show that by itself."""
    return "" if crawl.state == State.RUNNING else steering.when(crawl)


ACTIONS: Mapping[str, Action] = {
    "start": _start,
    "pause": _pause,
    "resume": _resume,
    "stop": _stop,
    "continue": _budget,
    "budget": _budget,
    "delta": _delta,
    "seeds": _seeds,
    "leave_out": _leave_out,
    "take_in": _take_in,
    "exclude": _exclude,
    "include": _include,
    "undo": _undo,
    "retrain": _retrain,
    "share": _share,
    "unshare": _unshare,
}

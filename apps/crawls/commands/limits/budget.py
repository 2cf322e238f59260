"""The limit on pages; a crawl that has ended continues if it is raised."""

from __future__ import annotations

from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo, ask
from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.crawls.most import MOST_PAGES, REQUESTS_A_PAGE
from apps.engine.codes import State

KIND = "budget"


def parse(text: str) -> int:
    """A number of pages. Raises CrawlRefused."""
    try:
        return int(text)
    except ValueError:
        raise CrawlRefused(KIND, "Give a whole number of pages.") from None


def change_budget(crawl: Crawl, budget: int, by: Person = None) -> None:
    """A new limit on pages; the limit on requests grows in proportion. Raises CrawlRefused."""
    _check(crawl, budget)
    limit = max(crawl.request_limit, REQUESTS_A_PAGE * budget)
    payload = {
        "pages": budget,
        "request_limit": limit,
        "before": {"pages": crawl.budget, "request_limit": crawl.request_limit},
    }
    ask(crawl, KIND, payload, by, budget=budget, request_limit=limit)


def continue_with(crawl: Crawl, budget: int, by: Person = None) -> None:
    """Continues a finished crawl up to a larger number of pages. Raises CrawlRefused."""
    if budget <= crawl.pages:
        raise CrawlRefused(
            KIND, f"The crawl already has {crawl.pages:,} pages: give a larger number."
        )
    change_budget(crawl, budget, by)
    resume(crawl, by)


def suggested(crawl: Crawl) -> int:
    """The number the form proposes: the budget, or half as much again if it is used up."""
    return crawl.budget + max(1, crawl.budget // 2) if crawl.pages >= crawl.budget else crawl.budget


def _check(crawl: Crawl, budget: int) -> None:
    if not 1 <= budget <= MOST_PAGES:
        # A crawl loads every command, and no schema.
        from apps.crawls.schemas import CrawlSettings
        from apps.schemas.input import describe_accepted

        raise CrawlRefused(KIND, describe_accepted(CrawlSettings, "budget"))
    if budget < crawl.pages:
        raise CrawlRefused(
            KIND, f"The crawl already has {crawl.pages:,} pages: give that number or more."
        )


def _act(crawl: Crawl, value: str, by: Person) -> str:
    ended = crawl.state in (State.FINISHED, State.FAILED)
    (continue_with if ended else change_budget)(crawl, parse(value), by)
    return ""


def _undo(crawl: Crawl, payload: Payload, by: Person) -> None:
    change_budget(crawl, payload["before"]["pages"], by)


BUDGET = Command(
    name=KIND,
    title="Change budget",
    does="Sets how many pages are fetched in all. A crawl that has ended continues if it is"
    " raised.",
    act=_act,
    value="a number of pages",
    events=(
        EventKind(
            KIND,
            "Budget changed",
            lambda payload: f"to {payload['pages']:,} pages",
            apply=lambda steering, p: steering.limit(p["pages"], p["request_limit"]),
            undo=Undo(
                about=lambda payload: KIND,
                stands=lambda crawl, p: "before" in p and crawl.budget == p["pages"],
                carry_out=_undo,
                fits=lambda crawl, p: bool(p["before"]["pages"] >= crawl.pages),
            ),
        ),
    ),
)

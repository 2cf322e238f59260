"""Skips a page that is proposed for labelling: it is not proposed again."""

from __future__ import annotations

from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo, write_down
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.skipped import KIND, skipped_pages
from apps.crawls.models import Crawl

LONGEST = 9


def skip(crawl: Crawl, seq: int, skipped: bool = True, by: Person = None) -> None:
    """Skips page `seq`, or proposes it again. Raises CrawlRefused if there is no such page or
    nothing would change."""
    if not crawl.pages_fetched.filter(seq=seq).exists():
        raise CrawlRefused("page", f"The crawl has no page {seq}.")
    if (seq in skipped_pages(crawl)) == skipped:
        was = "is skipped already" if skipped else "is not skipped"
        raise CrawlRefused("page", f"Page {seq:,} {was}.")
    write_down(crawl, KIND, {"page": seq, "skipped": skipped}, by)


def _act(crawl: Crawl, value: str, by: Person) -> str:
    text = value.strip()
    if not (text.isascii() and text.isdigit()) or len(text) > LONGEST:
        raise CrawlRefused("page", "Give the number of a page.")
    skip(crawl, int(text), by=by)
    return ""


def _words(payload: Payload) -> str:
    return f"page {payload['page']:,} {'skipped' if payload['skipped'] else 'proposed again'}"


SKIP = Command(
    name=KIND,
    title="Skip a page",
    does="Does not propose a page for labelling any more.",
    act=_act,
    value="the number of a page",
    events=(
        EventKind(
            KIND,
            "Labelling",
            _words,
            undo=Undo(
                about=lambda payload: (KIND, payload["page"]),
                stands=lambda crawl, p: (p["page"] in skipped_pages(crawl)) == p["skipped"],
                carry_out=lambda crawl, p, by: skip(crawl, p["page"], not p["skipped"], by),
            ),
        ),
    ),
)

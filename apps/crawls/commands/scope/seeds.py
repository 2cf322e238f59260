"""Adds seeds: addresses that the crawl fetches with priority 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.crawls.commands.command import Command, EventKind, Payload, Person, ask, when
from apps.crawls.commands.lifecycle.resume import resume_with_links
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.engine.crawl.steering import Steering
from apps.topics.definition.lines import LineError, read_urls
from apps.topics.messages import line_words

KIND = "seeds"


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds that were accepted, and the lines that were not."""

    urls: tuple[str, ...]
    errors: tuple[LineError, ...]


def parse(text: str) -> Seeds:
    """The addresses of the lines. Raises CrawlRefused if no line is an address."""
    lines = read_urls(text)
    if not lines.urls:
        raise CrawlRefused(KIND, bad_lines(lines.errors) or "Give one web address a line.")
    return Seeds(lines.written, lines.errors)


def bad_lines(errors: Sequence[LineError]) -> str:
    """The lines not accepted, each with its number and the reason; empty if there are none."""
    return " ".join(f"Line {e.number}: {e.text[:80]}: {line_words(e)}." for e in errors)


def add_seeds(crawl: Crawl, text: str, by: Person = None) -> Seeds:
    """Queues the good lines. Raises CrawlRefused if there are none."""
    seeds = parse(text)
    ask(crawl, KIND, {"urls": list(seeds.urls)}, by)
    return seeds


def _act(crawl: Crawl, value: str, by: Person) -> str:
    added = add_seeds(crawl, value, by)
    number = len(added.urls)
    resume_with_links(crawl, by)
    sentences = [f"{number:,} seed{'s' * (number != 1)} added.", bad_lines(added.errors)]
    return " ".join([*filter(None, sentences), when(crawl)])


def _apply(steering: Steering, payload: Payload) -> None:
    for url in payload["urls"]:
        steering.add_seed(url)


SEEDS = Command(
    name=KIND,
    title="Add seeds",
    does="Adds addresses to start from; a crawl whose frontier was empty continues.",
    act=_act,
    value="web addresses, one a line",
    events=(
        EventKind(
            KIND,
            "Seeds added",
            lambda payload: f"{len(payload['urls']):,} of them",
            apply=_apply,
        ),
    ),
)

"""In-link counts, and their sources (SL §4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from django.utils import timezone

from apps.engine import topics
from apps.engine.codes import Need
from apps.engine.errors import BadWebFile
from apps.engine.urls import host
from apps.topics.examples.other_topics import own_training
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs.crawl_input import (
    CrawlInput,
    Frozen,
    Origin,
    StrategyNeed,
    coverage_words,
    one_by_one,
)
from apps.topics.inputs.lists import current_of, table_path
from apps.topics.inputs.page_references import link_file
from apps.topics.inputs.recorded_links import RecordedLinks
from apps.topics.inputs.table_list import TableList
from apps.topics.inputs.tables.files import StoredTable
from apps.topics.inputs.tables.parsing import ListFormat, inlink_lines, rank_lines
from apps.topics.inputs.tables.views import ByHost, FirstOf
from apps.topics.models import InputTable, Topic
from apps.webs.links import WebLinks, is_counted, links_path

# The fewest examples the status model learns from.
LEAST = 4
Of = Literal["csv", "ranks", "counted"]


@dataclass(frozen=True, slots=True)
class CountSource:
    """A source of counts: it has in-links of `examples` of the `positives`.

    `path` is its file, or None if the counts were only typed into the topic's form.
    """

    of: Of
    name: str
    at: datetime
    rows: int
    examples: int
    positives: int
    path: Path | None


def choose(topic: Topic) -> CountSource | None:
    """The source that a crawl started now would use, or None if none covers a positive example.

    In this order: the analyst's counts, host ranks, counts in the recorded web. **Choice**: one
    source is used, not a mixture, since their numbers are not comparable: the first that covers at
    least four positive examples, else the first that covers any.
    """
    usable = [counts for counts in choices(topic) if counts.examples]
    return next((counts for counts in usable if counts.examples >= LEAST), next(iter(usable), None))


def choices(topic: Topic) -> Iterator[CountSource]:
    """Every available source of counts, in the order of `choose`."""
    sources = list(_sources(topic))
    if not sources:
        return
    positives = list(own_training(topic).filter(relevant=True).values_list("url", "final_url"))
    for of, name, at, path, counts in sources:
        examples = sum(any(url in counts for url in urls) for urls in positives)
        yield CountSource(of, name, at, len(counts), examples, len(positives), path)


def _sources(topic: Topic) -> Iterator[tuple[Of, str, datetime, Path | None, Mapping[str, int]]]:
    typed = dict(topic.inlink_counts.values_list("url", "count"))
    csv, ranks = (
        current_of(topic, kind) for kind in (InputTable.Kind.INLINKS, InputTable.Kind.RANKS)
    )
    if csv is not None:
        yield (
            "csv",
            csv.name,
            csv.added_at,
            table_path(csv),
            FirstOf([typed, StoredTable(table_path(csv))]),
        )
    elif typed:
        yield "csv", "", topic.changed_at, None, typed
    if ranks is not None:
        yield (
            "ranks",
            ranks.name,
            ranks.added_at,
            table_path(ranks),
            ByHost(StoredTable(table_path(ranks))),
        )
    if topic.web is not None and is_counted(topic.web):
        path = links_path(topic.web)
        at = datetime.fromtimestamp(path.stat().st_mtime, tz=timezone.get_current_timezone())
        yield "counted", topic.web.name, at, path, WebLinks(path)


def freeze(topic: Topic) -> dict[str, Any]:
    """The source chosen now; empty if there is none.

    Typed counts are in the topic's snapshot; `file` names the other ones.
    """
    chosen = choose(topic)
    if chosen is None:
        return {}
    file = None if chosen.path is None else link_file(topic.pk, chosen.path)
    return {
        "of": chosen.of,
        "name": chosen.name,
        "at": chosen.at.isoformat(),
        "rows": chosen.rows,
        "examples": chosen.examples,
        "positives": chosen.positives,
        "file": file,
    }


def supply(topic: topics.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic."""
    if frozen["file"] is None:
        return {}
    path = topic_file(topic_id, frozen["file"])
    if frozen["of"] == "counted":
        return {"inlinks": WebLinks(path)}
    if frozen["of"] == "ranks":
        return {"inlinks": ByHost(StoredTable(path))}
    return {"inlinks": FirstOf([topic.inlinks, StoredTable(path)])}


def has_counts(topic: Topic) -> bool:
    """Whether the status model has enough to learn from; False, too, if a file is gone."""
    try:
        chosen = choose(topic)
    except BadWebFile:
        return False
    return chosen is not None and chosen.examples >= LEAST


def source_words(of: str, name: str) -> str:
    """The source alone: `your list counts.csv`, `counted in the recorded web coast`."""
    if of == "csv":
        return f"your list {name}" if name else "the topic’s list"
    if of == "ranks":
        return f"host ranks of {name}"
    return f"counted in the recorded web {name}"


def status_source(origins: Mapping[str, Origin]) -> str:
    """The source of a crawl's in-link counts, for captions and exports; empty if it has none."""
    return _origin(origins[INLINKS.id]) if INLINKS.id in origins else ""


def status_words(topic: Topic) -> str:
    """Which in-link counts a crawl started now would use; empty if there are none."""
    try:
        chosen = choose(topic)
    except BadWebFile as error:
        return f"In-links cannot be read: {error.detail}."
    if chosen is None:
        return ""
    coverage = (
        f"{source_words(chosen.of, chosen.name)},"
        f" {chosen.examples:,} of {chosen.positives:,} positive examples known"
    )
    if chosen.examples < LEAST:
        return f"Status needs in-links of at least {LEAST} positive examples: {coverage}."
    return f"Status is learned from in-links: {coverage}."


def _origin(origin: Origin) -> str:
    return f"in-links: {source_words(origin['of'], origin['name'])}, {coverage_words(origin)}"


def _expected(topic: Topic) -> Frozen:
    counts = choose(topic)
    return (
        {}
        if counts is None
        else {
            "of": counts.of,
            "name": counts.name,
            "examples": counts.examples,
            "positives": counts.positives,
        }
    )


def _typed(topic: Topic) -> list[str]:
    typed = topic.inlink_counts.count()
    return [f"{typed:,} typed in the topic’s form."] if typed else []


def _coverage(of: Of) -> Callable[[Topic, InputTable], tuple[int, int]]:
    def covered(topic: Topic, table: InputTable) -> tuple[int, int]:
        counts = next(counts for counts in choices(topic) if counts.of == of)
        return counts.examples, counts.positives

    return covered


INLINKS = CrawlInput(
    id="inlinks",
    title="In-link counts",
    sentence="How many pages link to a page, of which status is made.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    expected=_expected,
    need=StrategyNeed(
        Need.INLINKS,
        f"in-link counts for at least {LEAST} positive examples",
        "in-link counts",
        f"For at least {LEAST} positive examples, how many pages link to them.",
        met_by=one_by_one(has_counts),
        anchor=lambda topic: "inputs-web" if topic.recorded_web else "inputs-inlinks",
    ),
    for_every_crawl=True,
    lists=(
        TableList(
            id=InputTable.Kind.INLINKS,
            title="In-link counts",
            purpose="Status is learned from the in-links of positive examples.",
            accepts="address,count a line",
            in_form=True,
            format=ListFormat(inlink_lines, host),
            coverage=_coverage("csv"),
            instead=_typed,
        ),
        TableList(
            id=InputTable.Kind.RANKS,
            title="Host ranks",
            purpose="In-links by host, if no counts are known.",
            accepts="Common Crawl’s host ranks, with #pr_val and #host_rev in the first line",
            format=ListFormat(rank_lines, str, ratios=True),
            coverage=_coverage("ranks"),
        ),
        RecordedLinks(
            id="web",
            title="Links of the recorded web",
            purpose="In-links counted in it, and pages in it that link to the examples.",
        ),
    ),
)

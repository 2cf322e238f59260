"""In-link counts, and where they come from (SL §4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from django.utils import timezone

from apps.engine import model
from apps.engine.errors import BadWebFile
from apps.topics.examples.other_topics import own_training
from apps.topics.examples.page_store import topic_folder
from apps.topics.inputs.lists import current_of, table_path
from apps.topics.inputs.page_references import link_file
from apps.topics.inputs.tables.files import Table
from apps.topics.inputs.tables.views import ByHost, FirstOf
from apps.topics.models import SourceTable, Topic
from apps.webs.links import WebLinks, is_counted, links_path

# The status model learns from no fewer.
LEAST = 4
Of = Literal["csv", "ranks", "counted"]


@dataclass(frozen=True, slots=True)
class Counts:
    """A source of counts: `examples` says of how many of the `positives` it knows the in-links.

    `path` is its file, None where the counts were typed into the topic's form alone.
    """

    of: Of
    name: str
    at: datetime
    rows: int
    examples: int
    positives: int
    path: Path | None


def choose(topic: Topic) -> Counts | None:
    """The source that a crawl started now would use; None where no positive example is known.

    In this order: the analyst's counts, host ranks, counts in the recorded web. **Choice**: one
    source is used, not a mixture, for their numbers do not compare: the first that knows at least
    four positive examples, else the first that knows any.
    """
    found = [counts for counts in choices(topic) if counts.examples]
    return next((counts for counts in found if counts.examples >= LEAST), next(iter(found), None))


def choices(topic: Topic) -> Iterator[Counts]:
    """Every source of counts there is, in the order of `choose`."""
    positives = list(own_training(topic).filter(relevant=True).values_list("url", "final_url"))
    for of, name, at, path, counts in _sources(topic):
        examples = sum(any(url in counts for url in urls) for urls in positives)
        yield Counts(of, name, at, len(counts), examples, len(positives), path)


def _sources(topic: Topic) -> Iterator[tuple[Of, str, datetime, Path | None, Mapping[str, int]]]:
    typed = dict(topic.inlink_counts.values_list("url", "count"))
    csv, ranks = (current_of(topic, kind) for kind in (
        SourceTable.Kind.INLINKS, SourceTable.Kind.RANKS
    ))
    if csv is not None:
        yield ("csv", csv.name, csv.added_at, table_path(csv),
               FirstOf([typed, Table(table_path(csv))]))
    elif typed:
        yield "csv", "", topic.changed_at, None, typed
    if ranks is not None:
        yield ("ranks", ranks.name, ranks.added_at, table_path(ranks),
               ByHost(Table(table_path(ranks))))
    if topic.web is not None and is_counted(topic.web):
        path = links_path(topic.web)
        at = datetime.fromtimestamp(path.stat().st_mtime, tz=timezone.get_current_timezone())
        yield "counted", topic.web.name, at, path, WebLinks(path)


def freeze(topic: Topic) -> dict[str, Any]:
    """The source chosen now; empty where there is none.

    Typed counts are in the topic's snapshot; `file` names what else there is.
    """
    chosen = choose(topic)
    if chosen is None:
        return {}
    file = None if chosen.path is None else link_file(topic.pk, chosen.path)
    return {
        "of": chosen.of, "name": chosen.name, "at": chosen.at.isoformat(), "rows": chosen.rows,
        "examples": chosen.examples, "positives": chosen.positives, "file": file,
    }


def supply(topic: model.Topic, topic_id: int, given: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic."""
    if given["file"] is None:
        return {}
    path = topic_folder(topic_id) / given["file"]
    if given["of"] == "counted":
        return {"inlinks": WebLinks(path)}
    if given["of"] == "ranks":
        return {"inlinks": ByHost(Table(path))}
    return {"inlinks": FirstOf([topic.inlinks, Table(path)])}


def has_counts(topic: Topic) -> bool:
    """Whether the status model has enough to learn from; False too where a file is gone."""
    try:
        chosen = choose(topic)
    except BadWebFile:
        return False
    return chosen is not None and chosen.examples >= LEAST

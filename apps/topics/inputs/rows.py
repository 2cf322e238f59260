"""The sources of a topic as rows of its page: what each is for, what is there, what can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from apps.directories.selectors import directories_of
from apps.engine.errors import BadWebFile
from apps.jobs.models import Job
from apps.topics import selectors
from apps.topics.inputs import inlinks, traffic
from apps.topics.inputs.lists import OWNERS_KINDS, current
from apps.topics.inputs.origins import inlink_source, number_of
from apps.topics.messages import line_words
from apps.topics.models import SourcePage, SourceTable, Topic
from apps.webs.links import is_counted
from apps.webs.models import Web

Tone = Literal["ok", "quiet", "warn", "bad"]
SHOWN_LINES = 10


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of source: `accepts` says what a file of it holds; `in_form` that it can be typed."""

    id: str
    title: str
    purpose: str
    accepts: str
    in_form: bool = False


KINDS: tuple[SourceKind, ...] = (
    SourceKind("inlinks", "In-link counts",
               "Status is learnt from the in-links of positive examples.",
               "address,count a line", True),
    SourceKind("ranks", "Host ranks", "In-links by host, where no counts are at hand.",
               "Common Crawl’s host ranks, with #pr_val and #host_rev in the first line"),
    SourceKind("web", "Links of the recorded web",
               "In-links counted in it, and pages in it that link to the examples.", ""),
    SourceKind("traffic", "Domain traffic",
               "How much visited a site is: one of seven features of status.",
               "rank,domain a line, such as a Tranco list; for all your topics"),
    SourceKind("sites", "Listed sites", "Reliability: the share of a crawl’s sites among them.",
               "a domain a line"),
    SourceKind("backlinks", "Back-link pages",
               "Text window, back-links learns from the words round links to the examples.",
               "an address a line", True),
    SourceKind("corpus", "Corpus",
               "Unlabelled pages of the field: HCLA, PLSI + PHITS, Shark-Search (BM25).",
               "an address a line", True),
)


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One kind with what there is of it: `said` in words with their `tone`; `bad_lines` are the
    first lines not taken, with their number and why, `untaken` how many there are in all."""

    kind: SourceKind
    said: tuple[str, ...]
    tone: Tone
    removable: bool = False
    scannable: bool = False
    bad_lines: tuple[tuple[int, str, str], ...] = ()
    untaken: int = 0

    @property
    def further(self) -> int:
        """How many lines not taken are not shown."""
        return self.untaken - len(self.bad_lines)


def source_rows(topic: Topic) -> list[SourceRow]:
    """Every kind of source, that of recorded webs only where the topic has one."""
    return [row for kind in KINDS if (row := _row(topic, kind)) is not None]


def status_words(topic: Topic) -> str:
    """Which in-link counts a crawl started now would use; empty where there are none."""
    try:
        chosen = inlinks.choose(topic)
    except BadWebFile as error:
        return f"In-links cannot be read: {error.detail}."
    if chosen is None:
        return ""
    return (f"Status is learnt from in-links: {inlink_source(chosen.of, chosen.name)},"
            f" {chosen.examples:,} of {chosen.positives:,} positive examples known.")


def kind_of(id: str) -> SourceKind | None:
    """The kind of that id."""
    return next((kind for kind in KINDS if kind.id == id), None)


def _row(topic: Topic, kind: SourceKind) -> SourceRow | None:
    if kind.id == "web":
        return _web_row(topic, kind, topic.recorded_web) if topic.recorded_web else None
    if kind.id in SourcePage.Kind.values:
        return _pages_row(topic, kind)
    return _table_row(topic, kind)


def _web_row(topic: Topic, kind: SourceKind, web: Web) -> SourceRow:
    found = topic.source_pages.filter(origin=SourcePage.Origin.FOUND).count()
    if not is_counted(web):
        pages = f"{web.pages:,} pages" if web.pages else "its pages"
        return SourceRow(kind, (f"{web.name} has not been read through: {pages}.",), "quiet",
                         scannable=True)
    return SourceRow(
        kind, (f"{web.name}: links counted; {found:,} pages found that link to examples.",), "ok",
        scannable=True,
    )


def _pages_row(topic: Topic, kind: SourceKind) -> SourceRow:
    mine = topic.source_pages.filter(kind=kind.id)
    named, found = (mine.filter(origin=origin) for origin in SourcePage.Origin)
    failed = mine.filter(fetch=SourcePage.Fetch.FAILED).count()
    waiting = mine.filter(fetch=SourcePage.Fetch.WAITING).count()
    said = [f"{named.count():,} named"]
    if kind.id == SourcePage.Kind.BACKLINK:
        said.append(f"{found.count():,} found in the recorded web")
    said += [f"{number:,} {word}" for number, word in
             ((waiting, "not fetched yet"), (failed, "without a usable page")) if number]
    errors = selectors.line_errors(topic).get(kind.id, ())
    nothing = _NOTHING[kind.id] if not mine.exists() else ""
    return SourceRow(
        kind, (nothing or f"{', '.join(said)}.",),
        "warn" if failed or errors else "ok" if mine.exists() else "quiet",
        removable=named.exists() or bool(errors),
        bad_lines=tuple((e.number, e.text[:160], line_words(e)) for e in errors[:SHOWN_LINES]),
        untaken=len(errors),
    )


_NOTHING = {
    "backlinks": "None. Add some, or have them found in a recorded web.",
    "corpus": "None: background pages and the examples serve, without their labels.",
    "inlinks": "None.",
    "ranks": "None.",
    "traffic": "None: the feature is 0 for every page.",
    "sites": "None: reliability is not measured.",
}


def _table_row(topic: Topic, kind: SourceKind) -> SourceRow:
    table = latest(topic, kind.id)
    used = current(topic, kind.id)
    said = _said(topic, kind.id, used)
    tone: Tone = "ok" if said else "quiet"
    if table is not None and table.is_under_way:
        said.append(f"{table.name} is being read.")
    if table is not None and table.job_state == Job.State.FAILED:
        said.append(f"{table.name} was not taken. {table.job_problem}")
        tone = "bad"
    errors = used.errors if used else []
    return SourceRow(
        kind, tuple(said) or (_NOTHING[kind.id],), tone if not errors or tone == "bad" else "warn",
        removable=table is not None,
        bad_lines=tuple(map(tuple, errors[:SHOWN_LINES])), untaken=used.skipped if used else 0,
    )


def latest(topic: Topic, kind: str) -> SourceTable | None:
    """The list last added, read or not: the topic's own, else its owner's for all topics."""
    own = topic.tables.filter(kind=kind).first()
    if own is not None or kind not in OWNERS_KINDS:
        return own
    return SourceTable.objects.filter(owner_id=topic.owner_id, topic=None, kind=kind).first()


def _said(topic: Topic, kind: str, table: SourceTable | None) -> list[str]:
    """What a list holds and knows of the topic's examples."""
    if table is None:
        return _without_list(topic, kind)
    whose = "" if table.topic_id else " for all your topics"
    said = f"{table.name}{whose}, added {table.added_at:%-d %B %Y}: {number_of(table.rows, 'row')}"
    try:
        known = _known(topic, kind, table)
    except BadWebFile as error:
        return [f"{said}. {error.detail[:1].upper()}{error.detail[1:]}."]
    return [f"{said}{known}."]


def _known(topic: Topic, kind: str, table: SourceTable) -> str:
    if kind == SourceTable.Kind.SITES:
        return ""
    if kind == SourceTable.Kind.TRAFFIC:
        examples, positives = traffic.matched(topic, table)
    else:
        of = "csv" if kind == SourceTable.Kind.INLINKS else "ranks"
        counts = next(counts for counts in inlinks.choices(topic) if counts.of == of)
        examples, positives = counts.examples, counts.positives
    return f", {examples:,} of {positives:,} positive examples known"


def _without_list(topic: Topic, kind: str) -> list[str]:
    typed = topic.inlink_counts.count() if kind == SourceTable.Kind.INLINKS else 0
    if typed:
        return [f"{typed:,} typed in the topic’s form."]
    if kind == SourceTable.Kind.SITES:
        directories = directories_of(topic.owner)
        return [f"{each.sites:,} sites of the directory {each.name}." for each in directories]
    return []

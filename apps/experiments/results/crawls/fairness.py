"""Obstacles to a fair comparison of crawls, and cautions about one.

Only crawls of the same topic are compared directly: different topics have different seeds and
targets, and are compared by pairs of crawls of the same topic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.utils.timezone import localtime

from apps.crawls.commands.catalogue import letters
from apps.crawls.models import Crawl, Event
from apps.engine.codes import State
from apps.engine.evaluation.measure import Witness
from apps.figures.quantities import count, join_names
from apps.topics.inputs.counted_targets import COUNTED_TARGETS
from apps.topics.models import Example

EVERY = frozenset(Witness)
JUDGED = frozenset({Witness.JUDGE})
STILL = (State.FINISHED, State.FAILED)
LC = "lc_committee"
GUIDE = "guiding_classifier"


@dataclass(frozen=True, slots=True)
class Unlike:
    """A difference between crawls of one topic, so that measures with these witnesses do not show
    which is better. `what` names it for a program."""

    what: str
    sentence: str
    spoils: frozenset[Witness]

    @property
    def all(self) -> bool:
        """Whether no measure can be compared."""
        return self.spoils == EVERY


@dataclass(frozen=True, slots=True)
class _Check:
    what: str
    sentence: str
    spoils: frozenset[Witness]
    value: Callable[[Crawl], Any]


def _read_from_topic(name: str) -> Callable[[Crawl], Any]:
    """A list of the topic as it was when a crawl began, whatever its order."""
    return lambda crawl: frozenset(map(str, crawl.snapshot.data[name])) if crawl.snapshot else None


def _targets(crawl: Crawl) -> Any:
    """The topic's targets, and the background of which none is counted."""
    counted = crawl.inputs.get(COUNTED_TARGETS.id, {})
    return _read_from_topic("targets")(crawl), counted.get("digest")


def _examples(*roles: str) -> Callable[[Crawl], Any]:
    return lambda crawl: (
        frozenset(
            (row["url"], row["relevant"], row["weight"])
            for row in crawl.snapshot.data["examples"]
            if row["role"] in roles
        )
        if crawl.snapshot
        else None
    )


def _judge(crawl: Crawl) -> Any:
    """The judge, and what it was trained on."""
    every = (Example.Role.EVALUATE, Example.Role.TRAIN)
    roles = every if crawl.judged_by in (LC, GUIDE) else every[:1]
    return crawl.judged_by, _examples(*roles)(crawl)


def _inlinks(crawl: Crawl) -> Any:
    typed = crawl.snapshot.data["inlinks"] if crawl.snapshot else {}
    return crawl.inputs.get("inlinks"), typed


CHECKS = (
    _Check(
        "web",
        "They crawled different webs: shown side by side, not tested.",
        EVERY,
        lambda crawl: crawl.web_id,
    ),
    _Check("seeds", "They began at different seeds.", EVERY, _read_from_topic("seeds")),
    _Check("keywords", "They were given different keywords.", EVERY, _read_from_topic("keywords")),
    _Check(
        "examples", "They learned from different examples.", EVERY, _examples(Example.Role.TRAIN)
    ),
    _Check(
        "targets",
        "They were measured against different targets: target recall cannot be compared.",
        frozenset({Witness.TARGETS}),
        _targets,
    ),
    _Check(
        "judge",
        "They were judged by different judges: harvest rates and what else a judge "
        "decides cannot be compared.",
        JUDGED,
        _judge,
    ),
    _Check(
        "label",
        "Their web’s true labels were read for different topics.",
        frozenset({Witness.LABELS}),
        lambda crawl: crawl.snapshot.data["web_label"] if crawl.snapshot else None,
    ),
    _Check(
        "inlinks",
        "Their pages’ in-links were counted by different tables: average status "
        "cannot be compared.",
        frozenset({Witness.INLINKS}),
        _inlinks,
    ),
    _Check(
        "directory",
        "Their sites were looked up in different directories.",
        frozenset({Witness.DIRECTORY}),
        lambda crawl: crawl.inputs.get("sites"),
    ),
)


def unlike(crawls: Sequence[Crawl]) -> tuple[Unlike, ...]:
    """The differences between crawls of one topic, as of the start of each."""
    begun = [crawl for crawl in crawls if crawl.snapshot]
    return tuple(
        Unlike(check.what, check.sentence, check.spoils)
        for check in CHECKS
        if any(check.value(crawl) != check.value(begun[0]) for crawl in begun[1:])
    )


def cautions(crawls: Sequence[Crawl], labels: Sequence[str]) -> tuple[str, ...]:
    """Cautions about a comparison, one sentence each."""
    named = dict(zip((crawl.pk for crawl in crawls), labels, strict=True))
    return tuple(_cautions(crawls, named))


def _cautions(crawls: Sequence[Crawl], named: dict[int, str]) -> Iterator[str]:
    if moving := [named[crawl.pk] for crawl in crawls if crawl.state not in STILL]:
        is_are = "is" if len(moving) == 1 else "are"
        yield f"{join_names(moving)} {is_are} not finished: shown as far as stored."
    if guided := [named[crawl.pk] for crawl in crawls if crawl.judged_by == GUIDE]:
        judges = "judges itself" if len(guided) == 1 else "judge themselves"
        yield (
            f"{join_names(guided)} {judges}: the classifier that guides the crawl is also its "
            "judge. Add examples for judging to the topic to avoid this."
        )
    marking = Event.objects.filter(crawl__in=crawls, kind__in=letters(), by__isnull=False)
    steered = dict(marking.order_by().values_list("crawl").annotate(times=Count("pk")))
    for crawl in crawls:
        if times := steered.get(crawl.pk):
            yield (
                f"{named[crawl.pk]} was changed by people while it ran, {count(times)} "
                f"time{'' if times == 1 else 's'}."
            )
    live = [
        localtime(crawl.started_at).date()
        for crawl in crawls
        if crawl.started_at and crawl.web.source == "live"
    ]
    if len({*live}) > 1:
        yield (
            f"They crawled the live Web on different days, {min(live):%-d %B} to "
            f"{max(live):%-d %B %Y}: it may have changed in between."
        )
    if len({crawl.over for crawl in crawls}) > 1:
        yield "Some read the web from disk and some over HTTP: active times are not comparable."

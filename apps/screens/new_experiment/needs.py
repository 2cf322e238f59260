"""The inputs that strategies need, and which of the chosen topics lack them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse

from apps.crawls.inputs.needs import strategy_needs
from apps.engine.codes import Need
from apps.engine.errors import EngineError
from apps.engine.intelligence.strategies.base import Strategy
from apps.figures.quantities import number_of
from apps.screens.new_experiment.strategy_rows import StrategyRow
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class NeedsOf:
    """The needs of a row in words; `lack` is how many topics lack one of them, `mend` is where
    the first of these can be given it."""

    words: str
    lack: str
    all_lack: bool
    mend: str


class Lacking:
    """Which of some topics lack a need; each is looked up once."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self.topics = list(topics)
        self._topics: dict[Need, list[Topic]] = {}
        self._lacked: dict[Need, bool] = {}

    def is_lacked(self, need: Need) -> bool:
        """Whether a topic lacks it; where the first one does, no other is looked at."""
        if need in self._topics:
            return bool(self._topics[need])
        if need not in self._lacked:
            first, others = self.topics[:1], self.topics[1:]
            self._lacked[need] = bool(_lacking(need, first) or _lacking(need, others))
        return self._lacked[need]

    def of(self, need: Need) -> list[Topic]:
        """The topics that lack it."""
        if need not in self._topics:
            self._topics[need] = _lacking(need, self.topics)
        return self._topics[need]


def _lacking(need: Need, topics: list[Topic]) -> list[Topic]:
    if need is Need.CRAWL:
        return topics  # no crawl comes before an experiment's
    met = strategy_needs()[need].met_by(topics)
    return [topic for topic in topics if topic not in met]


def needs_of(rows: Sequence[StrategyRow], lacking: Lacking) -> Mapping[str, NeedsOf]:
    """The needs of each row, by its key."""
    return {row.key: _needs(row, lacking) for row in rows}


def missing(cls: type[Strategy], lacking: Lacking) -> list[Need]:
    """The needs of a strategy at its defaults that any of the topics does not meet."""
    return [need for need in sorted(cls.build({}).needed()) if lacking.is_lacked(need)]


def lack_words(cls: type[Strategy], lacking: Lacking) -> str:
    """`lacks taxonomy`, or nothing if the topics have all that it needs."""
    gone = missing(cls, lacking)
    return f"lacks {strategy_needs()[gone[0]].short}" if gone else ""


def _needs(row: StrategyRow, lacking: Lacking) -> NeedsOf:
    wanted = sorted(needed(row))
    words = ", ".join(strategy_needs()[need].short for need in wanted) or "topic only"
    gone = next((need for need in wanted if lacking.of(need)), None)
    if gone is None:
        return NeedsOf(words, "", False, "")
    topics = lacking.of(gone)
    return NeedsOf(
        words,
        f"{strategy_needs()[gone].short}: {number_of(len(topics), 'topic')} without",
        len(topics) == len(lacking.topics),
        _link_to(gone, topics[0]),
    )


def needed(row: StrategyRow) -> frozenset[Need]:
    """The needs of all variants of a row; of one with errors those of its defaults."""
    given = (
        {}
        if row.is_bad
        else {each.parameter.name: each.values[0] for each in row.varied if each.values}
    )
    try:
        return frozenset(row.cls.build(given).needed())
    except EngineError:
        return row.cls.needs


def _link_to(need: Need, topic: Topic) -> str:
    anchor = strategy_needs()[need].anchor(topic)
    if not anchor:
        return ""
    page = "topic:edit" if anchor.startswith("id_") else "topic:detail"
    return f"{reverse(page, args=[topic.pk])}#{anchor}"

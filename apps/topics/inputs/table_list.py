"""Lists that are read into a table on the disk: counts, ranks, sites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO

from django.utils.text import capfirst
from django.utils.timezone import localtime

from apps.engine.errors import BadWebFile
from apps.figures.quantities import number_of
from apps.jobs import queue
from apps.jobs.models import Job
from apps.lists.limits import BadList
from apps.topics.inputs import lists
from apps.topics.inputs.input_list import SHOWN_LINES, Added, InputList, InputRow, Tone
from apps.topics.inputs.tables.parsing import ListFormat
from apps.topics.models import InputTable, Topic

Coverage = Callable[[Topic, InputTable], tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableList(InputList):
    """`format` reads it; `coverage` is how many of how many positive examples a table covers;
    `instead` what is used without a table."""

    format: ListFormat
    coverage: Coverage | None = None
    instead: Callable[[Topic], list[str]] = lambda topic: []

    def row(self, topic: Topic) -> InputRow:
        tables = lists.lists_for(topic, self.id)
        table, used = self._latest(tables), next(filter(lists.has_been_read, tables), None)
        sentences = self._summary(topic, used) if used else self.instead(topic)
        tone: Tone = "ok" if sentences else "quiet"
        if table is not None and table.is_under_way:
            sentences.append(f"{table.name} is being read.")
        if table is not None and table.job_state == Job.State.FAILED:
            sentences.append(f"{table.name} was not taken. {table.job_problem}")
            tone = "bad"
        errors = used.errors if used else []
        return InputRow(
            self,
            tuple(sentences) or (self.nothing,),
            tone if not errors or tone == "bad" else "warn",
            removable=table is not None,
            bad_lines=tuple(map(tuple, errors[:SHOWN_LINES])),
            untaken=used.skipped if used else 0,
        )

    def add(self, topic: Topic, name: str, data: IO[bytes]) -> Added:
        """Reads it at once, or in the background if it is large."""
        try:
            table = lists.store(topic, self.id, name, data, for_owner=self.for_owner)
            if lists.is_large(table):
                queue.enqueue(table)
                return Added(f"{table.name} is being read in the background.")
            queue.claim_here(table)
            lists.read_list(table, self.format)
        except OSError:
            raise BadList(lists.FULL) from None
        table.refresh_from_db()
        if table.job_state == Job.State.FAILED:
            raise BadList(table.job_problem)
        rows, lines = number_of(table.rows, "row"), number_of(table.skipped, "line")
        if table.skipped:
            return Added(
                f"{table.name}: {rows} taken, {lines} not; the first are listed below.", "warn"
            )
        return Added(f"{table.name}: {rows} taken.")

    def remove(self, topic: Topic) -> None:
        if (table := self._latest(lists.lists_for(topic, self.id))) is not None:
            lists.remove_list(table)

    def serves_other_topics(self, topic: Topic) -> bool:
        return self.for_owner and not topic.tables.filter(kind=self.id).exists()

    def _latest(self, tables: Sequence[InputTable]) -> InputTable | None:
        """The list last added, read or not: the topic's own, else its owner's for all topics."""
        return next((each for each in tables if each.topic_id or self.for_owner), None)

    def _summary(self, topic: Topic, table: InputTable) -> list[str]:
        """The content of a table, and how many of the topic's examples it covers."""
        whose = "" if table.topic_id else " for all your topics"
        rows = number_of(table.rows, "row")
        sentence = f"{table.name}{whose}, added {localtime(table.added_at):%-d %B %Y}: {rows}"
        if self.coverage is None:
            return [f"{sentence}."]
        try:
            examples, positives = self.coverage(topic, table)
        except BadWebFile as error:
            return [f"{sentence}. {capfirst(error.detail)}."]
        return [f"{sentence}, {examples:,} of {positives:,} positive examples known."]

"""Lists of pages that the topic stores: a corpus, pages that link to its examples."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import IO

from django.db.models import Count

from apps.figures.quantities import number_of
from apps.jobs import queue
from apps.topics.inputs.input_list import SHOWN_LINES, Added, InputList, InputRow
from apps.topics.messages import line_words
from apps.topics.models import InputPage, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class PageListInput(InputList):
    """Its `id` is a `InputPage.Kind`; `can_be_found` says that a recorded web may have such
    pages."""

    can_be_found: bool = False

    # A crawl reads its inputs; only people list and change them, by schemas.
    def row(self, topic: Topic) -> InputRow:
        from apps.topics.selectors import line_errors

        pages = topic.input_pages.filter(kind=self.id).order_by()
        counts: Counter[str] = Counter()
        for origin, fetch, number in pages.values_list("origin", "fetch").annotate(Count("pk")):
            counts[origin] += number
            counts[fetch] += number
        failed, waiting = counts[InputPage.Fetch.FAILED], counts[InputPage.Fetch.WAITING]
        named, scanned = (counts[origin] for origin in InputPage.Origin)
        phrases = [f"{named:,} named"]
        if self.can_be_found:
            phrases.append(f"{scanned:,} found in the recorded web")
        phrases += [
            f"{number:,} {word}"
            for number, word in ((waiting, "not fetched yet"), (failed, "without a usable page"))
            if number
        ]
        errors = line_errors(topic).get(self.id, ())
        is_empty = not counts
        return InputRow(
            self,
            (self.nothing if is_empty else f"{', '.join(phrases)}.",),
            "warn" if failed or errors else "quiet" if is_empty else "ok",
            removable=bool(named or errors),
            bad_lines=tuple((e.number, e.text[:160], line_words(e)) for e in errors[:SHOWN_LINES]),
            untaken=len(errors),
        )

    def add(self, topic: Topic, name: str, data: IO[bytes]) -> Added:
        from apps.topics.definition.list_files import lists_of_file
        from apps.topics.services import replace_pages

        text = lists_of_file(data, self.id).get(self.id, "")
        taken = replace_pages(topic, self.id, text)
        if topic.input_pages.filter(fetch=InputPage.Fetch.WAITING).exists():
            queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)
        if taken.errors:
            lines = number_of(len(taken.errors), "line")
            return Added(f"{name}: {lines} not taken, listed below.", "warn")
        return Added(f"{name}: {number_of(len(taken.urls), 'page')} taken.")

    def remove(self, topic: Topic) -> None:
        from apps.topics.services import replace_pages

        replace_pages(topic, self.id, "")

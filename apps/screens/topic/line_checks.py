"""Checking the lists of a topic's form as they are typed; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from apps.figures.quantities import number_of
from apps.topics.definition.corrections import Correction, correction
from apps.topics.definition.lines import LineError
from apps.topics.definition.reading import LISTS, read_lists
from apps.topics.messages import line_words, list_words

SHOWN = 50
MOST_CHARACTERS = 4_000_000


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is not accepted: its number, its text, the reason, and the correction."""

    number: int
    text: str
    why: str
    mend: Correction


@dataclass(frozen=True, slots=True)
class LineReport:
    """One list: the numbers of lines, of accepted ones and of others; `sentence` says how many are
    not accepted, or is empty."""

    name: str
    lines: int
    problems: tuple[Problem, ...]
    untaken: int
    sentence: str

    @property
    def words(self) -> str:
        """How many lines there are, or how many are not accepted."""
        return self.sentence or f"{number_of(self.lines, 'line')}, all taken."

    @property
    def further(self) -> int:
        """How many problems are not shown."""
        return self.untaken - len(self.problems)


def line_report(name: str, text: str, errors: Iterable[LineError]) -> LineReport:
    """The report on a list."""
    errors = tuple(errors)
    lines = sum(bool(line.strip()) for line in text.splitlines())
    shown = tuple(
        Problem(each.number, each.text, line_words(each), correction(each))
        for each in errors[:SHOWN]
    )
    sentence = list_words(name, errors, lines - len(errors)) if errors else ""
    return LineReport(name, lines, shown, len(errors), sentence)


@require_POST
def check(request: HttpRequest) -> JsonResponse:
    """By list `{"html", "bad": [line], "taken": n}` of the lists sent."""
    texts = {name: request.POST.get(name, "")[:MOST_CHARACTERS] for name in LISTS}
    errors: Mapping[str, tuple[LineError, ...]] = read_lists(texts).errors()
    answer = {}
    for name, text in texts.items():
        report = line_report(name, text, errors.get(name, ()))
        answer[name] = {
            "html": render_to_string("topic/lines.html", {"report": report}),
            "bad": [problem.number for problem in report.problems],
            "taken": report.lines - report.untaken,
        }
    return JsonResponse(answer)

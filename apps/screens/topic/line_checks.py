"""Checking the lists of a topic's form as they are typed; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.engine.errors import BadWebFile
from apps.figures.quantities import count, number_of
from apps.schemas.numbers import whole_number
from apps.topics.definition.corrections import REMOVE, Correction, correction
from apps.topics.definition.lines import LineError
from apps.topics.definition.reading import LISTS, Lists, read_lists
from apps.topics.messages import line_words, list_words
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.selectors import recorded_webs

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
    """One list: its number of lines, and of those not accepted; `sentence` says how many these are,
    or is empty. `absent` are accepted lines that lead to no page of the recorded web `web`."""

    name: str
    lines: int
    problems: tuple[Problem, ...]
    untaken: int
    sentence: str
    absent: tuple[Problem, ...] = ()
    untraced: int = 0
    web: str = ""

    @property
    def words(self) -> str:
        """How many lines there are, or how many are not accepted."""
        return self.sentence or f"{number_of(self.lines, 'line')}, all taken."

    @property
    def further(self) -> int:
        """How many problems are not shown."""
        return self.untaken - len(self.problems)

    @property
    def absent_words(self) -> str:
        """How many accepted lines lead to no page of the web."""
        if self.untraced == 1:
            return f"1 line is not a page of {self.web}: it is kept, but a request for it fails."
        lines = f"{count(self.untraced)} lines are not pages of {self.web}"
        return f"{lines}: they are kept, but requests for them fail."


def line_report(
    name: str,
    text: str,
    errors: Iterable[LineError],
    absent: Sequence[tuple[int, str]] = (),
    web: str = "",
) -> LineReport:
    """The report on a list; `absent` are the numbers and URLs of lines that are not pages of the
    web of that name."""
    errors = tuple(errors)
    lines = sum(bool(line.strip()) for line in text.splitlines())
    shown = tuple(
        Problem(each.number, each.text, line_words(each), correction(each))
        for each in errors[:SHOWN]
    )
    sentence = list_words(name, errors, lines - len(errors)) if errors else ""
    return LineReport(
        name,
        lines,
        shown,
        len(errors),
        sentence,
        tuple(
            Problem(number, url, f"is not a page of {web}", REMOVE)
            for number, url in absent[:SHOWN]
        ),
        len(absent),
        web,
    )


@require_POST
def check(request: SignedInRequest) -> JsonResponse:
    """The results by list: `{"html", "bad": [line], "taken": n}`; lines are looked up in the
    recorded `web` if one is sent."""
    texts = {name: request.POST.get(name, "")[:MOST_CHARACTERS] for name in LISTS}
    lists = read_lists(texts)
    errors: Mapping[str, tuple[LineError, ...]] = lists.errors()
    key = whole_number(request.POST.get("web", ""))
    web = recorded_webs(request.user).filter(pk=key or 0).first()
    absent = _absent(lists, web) if web else {}
    answer = {}
    for name, text in texts.items():
        report = line_report(
            name, text, errors.get(name, ()), absent.get(name, ()), web.name if web else ""
        )
        answer[name] = {
            "html": render_to_string("topic/lines.html", {"report": report}),
            "bad": [problem.number for problem in report.problems],
            "taken": report.lines - report.untaken,
        }
    return JsonResponse(answer)


def _absent(lists: Lists, web: Web) -> dict[str, list[tuple[int, str]]]:
    """The lines that lead to no page of the web: their numbers and URLs, by list. Empty for a web
    that cannot be read; the preview beside the lists then shows the error."""
    try:
        opened = open_web(web)
    except BadWebFile:
        return {}
    of_urls = {name: getattr(lists, name) for name in LISTS if name != "inlinks"}
    return {
        name: [
            (number, url)
            for number, url in zip(each.numbers, each.urls, strict=True)
            if opened.page_at(url) is None
        ]
        for name, each in of_urls.items()
    }

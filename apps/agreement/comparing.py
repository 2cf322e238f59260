"""Agreement between people: over all pages that they share, and by parts of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.formats import date_format

from apps.agreement.answers import PageAnswers, is_document
from apps.engine.evaluation.agreement import AnswerTable, krippendorffs_alpha
from apps.search.languages import language_name
from apps.topics.models import Guideline

FEWEST_PAGES = 20
"""Shared pages without which no measure is shown."""
MOST_LANGUAGES = 5
MOST_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the pages that people share, and how far they agree on them. `id` is its name in
    addresses; `agreement` is that of two people, None of more, who have `alpha`."""

    id: str
    title: str
    pages: int
    differ: int
    agreement: AnswerTable | None
    alpha: float | None

    @property
    def is_enough(self) -> bool:
        return self.pages >= FEWEST_PAGES

    @property
    def value(self) -> float | None:
        """Kappa of two people, alpha of more; None if it is not shown or undefined."""
        if not self.is_enough:
            return None
        return self.agreement.kappa if self.agreement else self.alpha

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of kappa."""
        return self.agreement.interval if self.agreement and self.is_enough else None


@dataclass(frozen=True, slots=True)
class PairOfPeople:
    """Two people and their answers to the pages that both have labelled."""

    first: User
    second: User
    agreement: AnswerTable


def compare(pages: Sequence[PageAnswers], people: Sequence[User]) -> list[PairOfPeople]:
    """Each pair of people."""
    return [PairOfPeople(a, b, agreement_of(pages, a, b)) for a, b in combinations(people, 2)]


def agreement_of(pages: Sequence[PageAnswers], first: User, second: User) -> AnswerTable:
    """The answers of two people to the pages that both have labelled."""
    answers = (page.answers for page in pages)
    both = (each for each in answers if first.pk in each and second.pk in each)
    return AnswerTable.count((each[first.pk], each[second.pk]) for each in both)


def part_of(id: str, title: str, pages: Sequence[PageAnswers], people: Sequence[User]) -> Part:
    """The agreement of people on some pages; those that only one has labelled do not count."""
    shared = [page for page in pages if page.is_shared]
    differ = sum(page.differs for page in shared)
    if len(people) == 2:
        agreement = agreement_of(shared, *people)
        return Part(id, title, len(shared), differ, agreement, None)
    alpha = krippendorffs_alpha(page.answers for page in shared)
    return Part(id, title, len(shared), differ, None, alpha)


def parts(
    pages: Sequence[PageAnswers], people: Sequence[User], guideline: Guideline | None
) -> list[Part]:
    """All shared pages; then by language, by kind, since the note, and by month of the last label;
    parts without a shared page, and groups of a single part, are left out."""
    shared = [page for page in pages if page.is_shared]
    kinds = [*_languages(shared), *_kinds(shared), *_since(guideline), *_months(shared)]
    whole = part_of("all", "All pages", shared, people)
    rows = [
        part_of(id, title, [page for page in shared if holds(page)], people)
        for id, title, holds in kinds
    ]
    return [whole, *(row for row in rows if row.pages)]


Choice = tuple[str, str, Callable[[PageAnswers], bool]]


def pages_of_part(
    id: str, pages: Sequence[PageAnswers], guideline: Guideline | None
) -> list[PageAnswers]:
    """The pages of a part; all for an unknown one."""
    kinds = [*_languages(pages), *_kinds(pages), *_since(guideline), *_months(pages)]
    holds = next((holds for name, _, holds in kinds if name == id), lambda page: True)
    return [page for page in pages if holds(page)]


def _languages(pages: Sequence[PageAnswers]) -> Iterator[Choice]:
    counts: dict[str, int] = {}
    for page in pages:
        counts[page.language] = counts.get(page.language, 0) + 1
    if len(counts) < 2:
        return
    most = sorted((code for code in counts if code), key=lambda code: (-counts[code], code))
    for code in most[:MOST_LANGUAGES]:
        yield f"lang-{code}", language_name(code), _in_language(code)
    if counts.get(""):
        yield "lang-", "No language known", _in_language("")


def _in_language(code: str) -> Callable[[PageAnswers], bool]:
    return lambda page: page.language == code


def _kinds(pages: Sequence[PageAnswers]) -> Iterator[Choice]:
    if len({is_document(page) for page in pages}) == 2:
        yield "pages", "Pages", lambda page: not is_document(page)
        yield "documents", "PDF and other documents", is_document


def _since(guideline: Guideline | None) -> Iterator[Choice]:
    if guideline is not None:
        day = date_format(timezone.localtime(guideline.at), "j M")
        yield "before-note", f"Before the note, {day}", lambda page: page.at < guideline.at
        yield (
            "since-note",
            f"Since the note, {day}",
            lambda page: all(label.at >= guideline.at for label in page.labels.values()),
        )


def _months(pages: Sequence[PageAnswers]) -> Iterator[Choice]:
    months = sorted({_month(page) for page in pages})
    if len(months) > 1:
        for month in months[-MOST_MONTHS:]:
            title = date_format(next(p.at for p in pages if _month(p) == month), "F Y")
            yield f"month-{month}", title, _in_month(month)


def _month(page: PageAnswers) -> str:
    return f"{timezone.localtime(page.at):%Y-%m}"


def _in_month(month: str) -> Callable[[PageAnswers], bool]:
    return lambda page: _month(page) == month

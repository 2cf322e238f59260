"""Reads for the screen of a draft: candidate pages in order, answers, the state of sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import QuerySet

from apps.begin import adviser
from apps.begin.excerpts import MarkedText, excerpt
from apps.begin.fitting import Fitting, PageTerms, learned_terms
from apps.begin.models import AdviserQuestion, CandidatePage, Draft, Query
from apps.begin.sources.catalogue import SOURCES
from apps.begin.sources.given_sites import GIVEN_SITES, YOURS
from apps.begin.sources.recorded_webs import (
    RECORDED_WEBS,
    awaited_indexes,
    has_unasked_web,
)
from apps.begin.turns import WaitingPage, kind_of, kinds_in_turn, next_turns
from apps.begin.understanding import wish_of
from apps.engine.codes import Failure
from apps.figures.quantities import count
from apps.search.languages import language_name
from apps.topics.messages import fetch_words
from apps.topics.models import StoredPage
from apps.webs.models import PageIndexing

SHOWN = 5
"""Unanswered pages in the list."""
LISTED_DRAFTS = 3
SHOWN_HOSTS = 3
FAILURE_CODES = frozenset(map(str, (*Failure, *StoredPage.Unusable)))
WANTED_YES, WANTED_NO = 5, 3
FETCHED = CandidatePage.FetchState.FETCHED


def drafts_of(user: User) -> QuerySet[Draft]:
    """The drafts that a person may change: their own, until a topic is made of them."""
    return Draft.objects.filter(owner=user, topic=None)


def unfinished_drafts(user: User) -> list[Draft]:
    """The last three with something typed."""
    latest = drafts_of(user).order_by("-changed_at")[: 4 * LISTED_DRAFTS]
    return [draft for draft in latest if not draft.is_empty][:LISTED_DRAFTS]


def journal_of(topic_pk: int) -> QuerySet[Query]:
    """Every query that was sent for the topic before it was made, in order."""
    return Query.objects.filter(draft__topic_id=topic_pk)


def questions_of(topic_pk: int) -> QuerySet[AdviserQuestion]:
    """Every question that was sent to the adviser before the topic was made, in order."""
    return AdviserQuestion.objects.filter(draft__topic_id=topic_pk)


@dataclass(frozen=True, slots=True)
class AdviserState:
    """The adviser as the screen shows it: the questions sent, how many are left, and what it
    proposes that the person has neither taken nor removed."""

    host: str
    questions: Sequence[AdviserQuestion]
    left: int
    proposals: Mapping[str, Sequence[str]]

    @property
    def is_asked(self) -> bool:
        """Whether an answer is awaited."""
        return any(question.is_open for question in self.questions)


def adviser_of(draft: Draft) -> AdviserState | None:
    """The adviser of the site, or None."""
    if not adviser.is_set_up():
        return None
    questions = list(draft.adviser_questions.all()) if draft.pk else []
    taken = {*draft.words, *draft.rather_not, *draft.phrases, *draft.removed}
    proposals = {
        part: [
            phrase
            for phrase in dict.fromkeys(p for q in questions for p in q.proposals.get(part, ()))
            if phrase not in taken
        ]
        for part in adviser.PARTS
    }
    left = adviser.MOST_ASKED - len(questions)
    return AdviserState(adviser.adviser_host(), questions, left, proposals)


ANSWERS_NEEDED = 5
"""From so many answers on, how sure and how right the expectations are is shown."""


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A page of the list; `kind` is what is expected of it, empty while nothing tells pages apart,
    `chance` None while there are too few answers for it. `language` is a name, or empty."""

    page: CandidatePage
    chance: float | None
    kind: str
    pieces: Sequence[MarkedText]
    language: str


@dataclass(frozen=True, slots=True)
class Answers:
    """How many answers there are, how many pages had an expectation before they were answered, and
    how many of these were as expected."""

    yes: int
    no: int
    skipped: int
    foreseen: int
    expected: int

    @property
    def all(self) -> int:
        return self.yes + self.no

    @property
    def are_enough(self) -> bool:
        return self.foreseen >= ANSWERS_NEEDED

    @property
    def more_yes(self) -> int:
        return max(0, WANTED_YES - self.yes)

    @property
    def more_no(self) -> int:
        return max(0, WANTED_NO - self.no)

    @property
    def enough(self) -> bool:
        return not (self.more_yes or self.more_no)


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source as the screen shows it: `tone` is ok, warn or quiet."""

    title: str
    tone: str
    words: str


@dataclass(frozen=True, slots=True)
class Candidates:
    """The list of a draft, the number of pages that wait below, and what was learned."""

    rows: Sequence[CandidateRow]
    waiting: int
    read: int
    answers: Answers
    learned: Sequence[tuple[str, float]]


def fitting_of(draft: Draft) -> Fitting:
    """The fit of pages with the draft's words and answers."""
    return _fitting_by(draft, _answered_pages(draft))


def _answered_pages(draft: Draft) -> list[CandidatePage]:
    answered = draft.candidates.filter(answer__in=["yes", "no"])
    return list(answered.only("terms", "language", "answer"))


def _fitting_by(draft: Draft, answered: Sequence[CandidatePage]) -> Fitting:
    texts: dict[str, list[PageTerms]] = {"yes": [], "no": []}
    for page in answered:
        texts[page.answer].append(_text(page))
    return Fitting.of(wish_of(draft), texts["yes"], texts["no"])


def candidates_of(draft: Draft) -> Candidates:
    """The list as it is; rows that are shown keep their turns, free turns are filled."""
    answered = _answered_pages(draft)
    fitting = _fitting_by(draft, answered)
    _fill_turns(draft, fitting)
    open_rows = draft.candidates.filter(fetch=FETCHED, answer="")
    shown = list(open_rows.filter(turn__isnull=False).order_by("turn").defer("body", "links"))
    return Candidates(
        rows=[_row(page, fitting) for page in shown],
        waiting=open_rows.filter(turn=None).count(),
        read=draft.candidates.filter(fetch=FETCHED).count(),
        answers=answers_of(draft),
        learned=learned_terms(fitting, [_text(page) for page in answered]),
    )


def _fill_turns(draft: Draft, fitting: Fitting) -> None:
    """Gives turns to waiting pages until `SHOWN` unanswered ones have one."""
    pages = draft.candidates.filter(fetch=FETCHED)
    with_turn = pages.filter(turn__isnull=False)
    free = SHOWN - with_turn.filter(answer="").count()
    if free <= 0:
        return
    last = with_turn.order_by("-turn").only("turn", "host").first()
    taken = 0 if last is None or last.turn is None else last.turn + 1
    waiting = [
        WaitingPage(page.pk, page.host, fitting.chance(text), fitting.log_odds(text))
        for page in pages.filter(turn=None, answer="").only("host", "terms", "language")
        for text in [_text(page)]
    ]
    answers = answers_of(draft)
    kinds = kinds_in_turn(answers.more_yes, answers.more_no)
    last_host = last.host if last else ""
    for turn, each in enumerate(next_turns(waiting, free, taken, last_host, kinds), taken):
        CandidatePage.objects.filter(pk=each.key, turn=None).update(
            turn=turn, kind=kind_of(each.chance) if fitting.has_evidence else ""
        )


def _row(page: CandidatePage, fitting: Fitting) -> CandidateRow:
    chance = fitting.chance(_text(page))
    pieces = excerpt(page.text, fitting, page.language)
    is_calibrated = fitting.answers >= ANSWERS_NEEDED
    kind = kind_of(chance) if fitting.has_evidence else ""
    chance_shown = chance if is_calibrated and kind else None
    return CandidateRow(page, chance_shown, kind, pieces, language_name(page.language))


def _text(page: CandidatePage) -> PageTerms:
    return PageTerms(page.terms, page.language)


def answers_of(draft: Draft) -> Answers:
    """The counts of the answers."""
    rows = list(draft.candidates.exclude(answer="").values_list("answer", "expected"))
    counts = {kind: sum(answer == kind for answer, _ in rows) for kind in ("yes", "no", "skipped")}
    foreseen = [
        expected is (answer == "yes")
        for answer, expected in rows
        if answer != "skipped" and expected is not None
    ]
    right = sum(foreseen)
    return Answers(counts["yes"], counts["no"], counts["skipped"], len(foreseen), right)


def is_gathering(draft: Draft) -> bool:
    """Whether candidates are sought, or will be when a recorded web is indexed."""
    if draft.job_state != Draft.State.DONE or draft.is_empty:
        return draft.is_under_way
    return bool(awaited_indexes(draft)) or has_unasked_web(draft)


def best_pages(draft: Draft, most: int) -> list[CandidatePage]:
    """The unanswered pages that fit best, for a crawl without any address."""
    fitting = fitting_of(draft)
    pages = draft.candidates.filter(fetch=FETCHED, answer="").only("url", "terms", "language")
    ranked = sorted(pages, key=lambda page: (-fitting.log_odds(_text(page)), page.pk))
    return ranked[:most]


def source_states(draft: Draft) -> list[SourceState]:
    """The state of each source, with its number and what it was asked."""
    states = [_given_state(draft)]
    awaited = awaited_indexes(draft)
    for source in SOURCES[1:]:
        pages = draft.candidates.filter(source=source.id)
        queries = list(draft.queries.filter(source=source.id))
        if not source.is_set_up():
            states.append(SourceState(source.title, "quiet", source.missing))
        elif source is RECORDED_WEBS and awaited:
            states.append(SourceState(source.title, "quiet", _indexing_words(awaited)))
        elif problem := next((q.problem for q in reversed(queries) if q.problem), ""):
            states.append(SourceState(source.title, "warn", problem))
        elif queries or pages.exists():
            states.append(
                SourceState(
                    source.title, "ok", _asked_words(source.sends_words_to(), pages, queries)
                )
            )
        elif source.sends_words_to():
            sends = f"sends your words to {source.sends_words_to()}"
            states.append(SourceState(source.title, "quiet", sends))
    return states


def _indexing_words(jobs: Sequence[PageIndexing]) -> str:
    done = ", ".join(
        f"{job.web.name} ({count(job.done)} of {count(job.web.pages)})" for job in jobs
    )
    return f"pages are being indexed: {done}; they come when that is done"


def _asked_words(host: str, pages: QuerySet[CandidatePage], queries: Sequence[Query]) -> str:
    count = pages.count()
    words = f"{count} address{'es' if count != 1 else ''}"
    if host:
        words += f" for {len(queries)} quer{'ies' if len(queries) != 1 else 'y'} to {host}"
    return words


def _given_state(draft: Draft) -> SourceState:
    own = draft.candidates.filter(source=GIVEN_SITES.id)
    yours = own.filter(detail=YOURS)
    if not yours.exists():
        return SourceState("your sites", "quiet", "no address yet")
    read = yours.filter(fetch=FETCHED).count()
    failed = yours.filter(fetch=CandidatePage.FetchState.FAILED)
    words = f"{read} of {yours.count()} read, {own.exclude(detail=YOURS).count()} of their links"
    if refused := _refusals(failed):
        words += f"; no page from {refused}"
    return SourceState("your sites", "ok" if read else "warn" if refused else "quiet", words)


def _refusals(failed: QuerySet[CandidatePage]) -> str:
    """The first hosts whose pages could not be read, each with why."""
    reasons: dict[str, dict[str, None]] = {}
    for host, failure in failed.order_by("pk").values_list("host", "failure"):
        reasons.setdefault(host, {})[_why(failure)] = None
    hosts = [*reasons][:SHOWN_HOSTS]
    return "; ".join(f"{host} ({', '.join(reasons[host])})" for host in hosts)


def _why(failure: str) -> str:
    """A failure in words; that of a recorded web which cannot be read is a sentence already."""
    is_code = failure in FAILURE_CODES or failure.startswith("http_")
    return fetch_words(failure) if is_code else failure

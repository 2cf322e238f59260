"""The interface of a source of candidate pages, and the query that it gets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from apps.begin.models import Draft, Query
from apps.begin.sources.endpoint import EndpointProblem


@dataclass(frozen=True, slots=True)
class OfferedPage:
    """An address that may be meant, and how it got there, as in `a link of example.org`.

    `web` is the key of the recorded web its page is read from, None for that of the draft.
    """

    url: str
    detail: str
    web: int | None = None


class SourceRequest:
    """A draft whose candidates are sought. `words` are its words and those of its sentence, without
    what it excludes; `heartbeat` returns False once the job is no longer wanted."""

    def __init__(
        self,
        draft: Draft,
        phrases: tuple[str, ...],
        words: tuple[str, ...],
        heartbeat: Callable[[], bool],
    ) -> None:
        self.draft = draft
        self.phrases = phrases
        self.words = words
        self.heartbeat = heartbeat

    def query(
        self, source: str, asked: str, address: str, send: Callable[[], list[str]]
    ) -> Iterator[str]:
        """The addresses that answer a query, which is noted in the journal and sent to an address
        once; a failed query yields nothing and is noted with its problem."""
        earlier = self.draft.queries.filter(source=source, asked=asked, address=address)
        if earlier.filter(problem="").exists():
            return
        note = Query(draft=self.draft, source=source, asked=asked, address=address)
        urls: list[str] = []
        try:
            urls = send()
        except EndpointProblem as problem:
            note.problem = str(problem)
        note.answers = len(urls)
        earlier.delete()
        note.save()
        yield from urls


@dataclass(frozen=True, slots=True)
class CandidateSource:
    """A source of candidate pages. `missing` says what is not set up, for people;
    `needs_no_address` whether it can have pages for a draft of words alone."""

    id: str
    title: str
    ask: Callable[[SourceRequest], Iterable[OfferedPage]]
    is_set_up: Callable[[], bool] = lambda: True
    missing: str = ""
    sends_words_to: Callable[[], str] = lambda: ""
    needs_no_address: Callable[[Draft], bool] = lambda draft: False

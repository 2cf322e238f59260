"""What can be done to several crawls at once, to which of them, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser

from apps.crawls.commands.annotate import annotate, parse_note, parse_tags
from apps.crawls.commands.delete import delete, loss
from apps.crawls.commands.pause import pause
from apps.crawls.commands.resume import RESUME, resume
from apps.crawls.commands.stop import stop
from apps.crawls.errors import CrawlRefused
from apps.crawls.messages import REASONS
from apps.crawls.models import Crawl
from apps.engine.model import State, StopReason
from apps.figures.quantities import count

# A command of the catalogue with its value, which puts a crawl back.
Step = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb of the bar over the list.

    `why_not` says what it applies to, for a crawl it does not apply to. `back` gives the step that
    undoes it, from the crawl as it was before. A verb that has no way back `asks` first, in a
    sentence with what is kept or deleted.
    """

    name: str
    title: str
    done: str
    why_not: str
    applies: Callable[[Crawl], bool]
    act: Callable[[Crawl, str, AbstractUser], None]
    back: Callable[[Crawl], Step] | None = None
    asks: Callable[[Sequence[Crawl]], str] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verb did: a sentence, refusals by crawl, and the steps back."""

    said: str
    refused: tuple[str, ...]
    undo: tuple[tuple[int, str, str], ...]


def verbs_for(crawl: Crawl, person_id: int | None) -> tuple[str, ...]:
    """The names of the verbs that apply to a crawl; none to one that is another's."""
    if crawl.owner_id != person_id:
        return ()
    return tuple(verb.name for verb in VERBS.values() if verb.applies(crawl))


def carry_out(
    verb: Verb, crawls: Sequence[Crawl], value: str, person: AbstractUser
) -> Outcome:
    """Does it to those it applies to. A refusal of one leaves the others done."""
    refused: list[str] = []
    undo: list[tuple[int, str, str]] = []
    done = 0
    for crawl in crawls:
        number, step = crawl.pk, verb.back(crawl) if verb.back else None
        try:
            verb.act(crawl, value, person)
        except CrawlRefused as refusal:
            refused.append(f"#{number}: {refusal.message}")
            continue
        done += 1
        undo += [(number, *step)] if step else []
    said = f"{number_of(done)} {verb.done}." if done else ""
    return Outcome(said, tuple(refused), tuple(undo))


def number_of(crawls: int) -> str:
    """`1 crawl`, `2 crawls`."""
    return f"{count(crawls)} crawl{'' if crawls == 1 else 's'}"


def _pages(crawls: Sequence[Crawl]) -> str:
    pages = sum(crawl.pages for crawl in crawls)
    return f"{count(pages)} page{'' if pages == 1 else 's'}"


def _stop_words(crawls: Sequence[Crawl]) -> str:
    one = len(crawls) == 1
    later = "It can be continued." if one else "They can be continued."
    return f"{number_of(len(crawls))} stop{'s' * one}; {_pages(crawls)} stay. {later}"


def _delete_words(crawls: Sequence[Crawl]) -> str:
    losses = [loss(crawl) for crawl in crawls]
    labels, learners = sum(x.labels for x in losses), sum(x.learners for x in losses)
    said = [f"{number_of(len(crawls))} and {_pages(crawls)} are deleted, in the collection too."]
    plural = "" if labels == 1 else "s"
    if labels:
        said.append(f"{count(labels)} label{plural} kept as examples.")
    if learners:
        said.append(f"{number_of(learners)} learned from them and can no longer name them.")
    return " ".join((*said, "This cannot be undone."))


def _goes_on(crawl: Crawl) -> bool:
    """Whether it can go on as it is, rather than with a larger budget or more seeds."""
    ended = crawl.state in (State.PAUSED, State.FINISHED, State.FAILED)
    return ended and REASONS[StopReason(crawl.reason)][1] == RESUME.name


def _add_tags(crawl: Crawl, text: str, person: AbstractUser) -> None:
    wanted = parse_tags(",".join((*crawl.tags, *parse_tags(text))))
    annotate(crawl, "tags", wanted, person)


VERBS: Mapping[str, Verb] = {
    verb.name: verb
    for verb in (
        Verb(
            "tag", "Tag…", "tagged", "Only your own crawls can be tagged",
            applies=lambda crawl: True,
            act=_add_tags,
            back=lambda crawl: ("tags", ", ".join(crawl.tags)),
        ),
        Verb(
            "note", "Note…", "noted", "Only your own crawls can be given a note",
            applies=lambda crawl: True,
            act=lambda crawl, text, person: annotate(crawl, "note", parse_note(text), person),
            back=lambda crawl: ("note", crawl.note),
        ),
        Verb(
            "pause", "Pause", "paused", "Only crawls that run or wait can be paused",
            applies=lambda crawl: crawl.state in (State.RUNNING, State.QUEUED)
            and crawl.desired == Crawl.Desired.RUN,
            act=lambda crawl, value, person: pause(crawl, person),
            back=lambda crawl: ("resume", ""),
        ),
        Verb(
            "continue", "Continue", "continued",
            "Only crawls that are paused, were stopped or failed can be continued",
            applies=_goes_on,
            act=lambda crawl, value, person: resume(crawl, person),
            back=lambda crawl: ("pause", ""),
        ),
        Verb(
            "stop", "Stop…", "stopped", "Only crawls that run, wait or are paused can be stopped",
            applies=lambda crawl: crawl.state in (State.RUNNING, State.QUEUED, State.PAUSED),
            act=lambda crawl, value, person: stop(crawl, person),
            asks=_stop_words,
        ),
        Verb(
            "delete", "Delete…", "deleted", "A running crawl has to be stopped first",
            applies=lambda crawl: not crawl.runner
            and crawl.state not in (State.RUNNING, State.STOPPING),
            act=lambda crawl, value, person: delete(crawl),
            asks=_delete_words,
        ),
    )
}  # fmt: skip

"""Bulk actions on crawls: what they apply to, and how they are undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from apps.crawls.commands.annotate import annotate, parse_note, parse_tags
from apps.crawls.commands.lifecycle.delete import delete, loss
from apps.crawls.commands.lifecycle.pause import pause
from apps.crawls.commands.lifecycle.resume import RESUME, resume
from apps.crawls.commands.lifecycle.stop import stop
from apps.crawls.errors import CrawlRefused
from apps.crawls.messages import REASONS
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.figures.quantities import number_of

# A command of the catalogue with the value that restores a crawl.
Step = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ListAction:
    """One action of the bar over the list.

    `why_not` is the sentence for a crawl it does not apply to. Only the owner may use one
    of the `owners`. `back` returns the step
    that undoes it, from the crawl as it was before. A verb that cannot be undone `asks` first, with
    a sentence on what is kept or deleted.
    """

    name: str
    title: str
    done: str
    why_not: str
    applies: Callable[[Crawl], bool]
    act: Callable[[Crawl, str, User], None]
    owners: bool = False
    back: Callable[[Crawl], Step] | None = None
    asks: Callable[[Sequence[Crawl]], str] | None = None


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """The result of an action: a sentence, refusals by crawl, and the undo steps."""

    words: str
    refused: tuple[str, ...]
    undo: tuple[tuple[int, str, str], ...]


def verbs_for(crawl: Crawl, *, mine: bool, may_edit: bool) -> tuple[str, ...]:
    """The names of the verbs that apply to a crawl and that one may use on it."""
    usable = (verb for verb in VERBS.values() if mine or (may_edit and not verb.owners))
    return tuple(verb.name for verb in usable if verb.applies(crawl))


def carry_out(verb: ListAction, crawls: Sequence[Crawl], value: str, person: User) -> ActionOutcome:
    """Applies the action to every crawl it applies to; a refusal does not stop the others."""
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
    words = f"{number_of(done, 'crawl')} {verb.done}." if done else ""
    return ActionOutcome(words, tuple(refused), tuple(undo))


def _pages(crawls: Sequence[Crawl]) -> str:
    return number_of(sum(crawl.pages for crawl in crawls), "page")


def _stop_words(crawls: Sequence[Crawl]) -> str:
    one = len(crawls) == 1
    later = "It can be continued." if one else "They can be continued."
    return f"{number_of(len(crawls), 'crawl')} stop{'s' * one}; {_pages(crawls)} stay. {later}"


def _delete_words(crawls: Sequence[Crawl]) -> str:
    losses = [loss(crawl) for crawl in crawls]
    labels, learners = sum(x.labels for x in losses), sum(x.learners for x in losses)
    deleted = f"{number_of(len(crawls), 'crawl')} and {_pages(crawls)}"
    words = [f"{deleted} are deleted, in the collection too."]
    if labels:
        words.append(f"{number_of(labels, 'label')} kept as examples.")
    if learners:
        names = number_of(learners, "crawl")
        words.append(f"{names} learned from them and can no longer name them.")
    return " ".join((*words, "This cannot be undone."))


def _goes_on(crawl: Crawl) -> bool:
    """Whether it can continue as it is, without a larger budget or more seeds."""
    ended = crawl.state in (State.PAUSED, State.FINISHED, State.FAILED)
    return ended and REASONS[StopReason(crawl.reason)][1] == RESUME.name


def _add_tags(crawl: Crawl, text: str, person: User) -> None:
    wanted = parse_tags(",".join((*crawl.tags, *parse_tags(text))))
    annotate(crawl, "tags", wanted, person)


VERBS: Mapping[str, ListAction] = {
    verb.name: verb
    for verb in (
        ListAction(
            "tag",
            "Tag…",
            "tagged",
            "Only crawls that you may edit can be tagged",
            applies=lambda crawl: True,
            act=_add_tags,
            back=lambda crawl: ("tags", ", ".join(crawl.tags)),
        ),
        ListAction(
            "note",
            "Note…",
            "noted",
            "Only crawls that you may edit can be given a note",
            applies=lambda crawl: True,
            act=lambda crawl, text, person: annotate(crawl, "note", parse_note(text), person),
            back=lambda crawl: ("note", crawl.note),
        ),
        ListAction(
            "pause",
            "Pause",
            "paused",
            "Only crawls that run or wait can be paused",
            applies=lambda crawl: (
                crawl.state in (State.RUNNING, State.QUEUED) and crawl.desired == Crawl.Desired.RUN
            ),
            act=lambda crawl, value, person: pause(crawl, person),
            back=lambda crawl: ("resume", ""),
        ),
        ListAction(
            "continue",
            "Continue",
            "continued",
            "Only crawls that are paused, were stopped or failed can be continued",
            applies=_goes_on,
            act=lambda crawl, value, person: resume(crawl, person),
            back=lambda crawl: ("pause", ""),
        ),
        ListAction(
            "stop",
            "Stop…",
            "stopped",
            "Only crawls that run, wait or are paused can be stopped",
            applies=lambda crawl: crawl.state in (State.RUNNING, State.QUEUED, State.PAUSED),
            act=lambda crawl, value, person: stop(crawl, person),
            asks=_stop_words,
        ),
        ListAction(
            "delete",
            "Delete…",
            "deleted",
            "Only your own crawls can be deleted, and a running one has to be stopped first",
            applies=lambda crawl: (
                not crawl.runner and crawl.state not in (State.RUNNING, State.STOPPING)
            ),
            act=lambda crawl, value, person: delete(crawl),
            owners=True,
            asks=_delete_words,
        ),
    )
}

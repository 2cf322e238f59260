"""Changes the languages of which a crawl takes pages."""

from __future__ import annotations

from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo, ask, when
from apps.crawls.commands.lifecycle.resume import resume_with_links
from apps.crawls.commands.scope.try_again import MOST
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, FrontierEntry
from apps.engine.codes import Failure
from apps.schemas.refused import Refused
from apps.search.languages import language_name

LANGUAGES = "languages"


def set_languages(crawl: Crawl, text: str, by: Person = None) -> None:
    """Takes pages of these languages alone, of all for an empty text; pages that were left out for
    a language that is taken now wait again, up to 10,000. Raises CrawlRefused."""
    # A crawl loads every command, and no schema.
    from apps.crawls.schemas import ScopeRules

    try:
        chosen = ScopeRules.read({"languages": text.replace(",", " ").split()}).languages
    except Refused as refused:
        raise CrawlRefused("languages", refused.message) from None
    before = languages_of(crawl)
    if list(chosen) == before:
        raise CrawlRefused("languages", f"The crawl takes {_joined(before)} already.")
    payload = {"before": before, "after": list(chosen), "numbers": _left_out(crawl, chosen)}
    ask(crawl, LANGUAGES, payload, by, scope={**crawl.scope, "languages": list(chosen)})


def languages_of(crawl: Crawl) -> list[str]:
    """The codes of the languages of which the crawl takes pages; empty for all."""
    return list(crawl.scope.get("languages", ()))


def _left_out(crawl: Crawl, chosen: tuple[str, ...]) -> list[int]:
    """The numbers of the pages that were left out for one of these languages, or for any."""
    left = crawl.frontier.filter(
        state=FrontierEntry.State.FAILED, reason=Failure.OTHER_LANGUAGE
    ).order_by("-priority", "number")
    if chosen:
        of_these = crawl.failed_requests.filter(kind=Failure.OTHER_LANGUAGE, detail__in=chosen)
        left = left.filter(number__in=of_these.values("number"))
    return list(left.values_list("number", flat=True)[:MOST])


def _act(crawl: Crawl, value: str, by: Person) -> str:
    set_languages(crawl, value, by)
    resume_with_links(crawl, by)
    return f"The crawl takes {_joined(languages_of(crawl))}. {when(crawl)}"


def _joined(codes: list[str]) -> str:
    """`German and French`, `every language`."""
    *others, last = map(language_name, codes) if codes else ("every language",)
    return f"{', '.join(others)} and {last}" if others else last


def _words(payload: Payload) -> str:
    return f"to {_joined(payload['after'])}"


LANGUAGES_COMMAND = Command(
    name=LANGUAGES,
    title="Change the languages",
    does="Takes pages of some languages alone, or of every one; pages that were left out for a"
    " language that is taken now wait again. Pages whose language does not show are always taken.",
    act=_act,
    value="codes of languages, as in `de fr`, or nothing for every language",
    events=(
        EventKind(
            LANGUAGES,
            "Languages changed",
            _words,
            apply=lambda steering, p: steering.set_languages(p["after"], p["numbers"]),
            undo=Undo(
                about=lambda payload: LANGUAGES,
                stands=lambda crawl, p: languages_of(crawl) == p["after"],
                carry_out=lambda crawl, p, by: set_languages(crawl, " ".join(p["before"]), by),
            ),
        ),
    ),
)

"""Takes the addresses that a rule of the scope has left out until now; the rule stays."""

from __future__ import annotations

from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo, ask, when
from apps.crawls.commands.lifecycle.resume import resume_with_links
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, FrontierEntry
from apps.engine.codes import Exclusion
from apps.figures.quantities import number_of

PUT_BACK, LEAVE_OUT = "put_back", "leave_out"
RULES = (
    Exclusion.DEPTH,
    Exclusion.HOST_DENIED,
    Exclusion.HOST_NOT_ALLOWED,
    Exclusion.PATTERN_NOT_ALLOWED,
    Exclusion.EXTENSION,
)


def put_back(crawl: Crawl, rule: str, by: Person = None) -> int:
    """Queues what the rule has left out and returns how many. Raises CrawlRefused."""
    if rule not in RULES:
        raise CrawlRefused("rule", f"A rule is one of {', '.join(RULES)}.")
    number = crawl.frontier.filter(state=FrontierEntry.State.EXCLUDED, reason=rule).count()
    if not number:
        raise CrawlRefused("rule", "That rule has left nothing out.")
    ask(crawl, PUT_BACK, {"rule": rule, "number": number}, by)
    resume_with_links(crawl, by)
    return number


def leave_out(crawl: Crawl, rule: str, by: Person = None) -> None:
    """Leaves out again what still waits of it. Raises CrawlRefused."""
    if not is_back(crawl, rule):
        raise CrawlRefused("rule", "What that rule left out has not been put back.")
    ask(crawl, LEAVE_OUT, {"rule": rule}, by)


def is_back(crawl: Crawl, rule: str) -> bool:
    """Whether what the rule left out has been put back last."""
    asked = crawl.changes.filter(kind__in=(PUT_BACK, LEAVE_OUT), payload__rule=rule)
    last = asked.order_by("-id").first()
    return last is not None and last.kind == PUT_BACK


def _put_back(crawl: Crawl, value: str, by: Person) -> str:
    number = put_back(crawl, value.strip(), by)
    return f"{number_of(number, 'address', 'es')} put back. {when(crawl)}"


def _leave_out(crawl: Crawl, value: str, by: Person) -> str:
    leave_out(crawl, value.strip(), by)
    return f"What waits of them is left out again. {when(crawl)}"


def _words(payload: Payload) -> str:
    """`12 addresses: too far from the seeds`."""
    # A crawl loads every command, and no catalogue of messages.
    from apps.crawls.messages import EXCLUSIONS

    words = EXCLUSIONS[Exclusion(payload["rule"])]
    number = payload.get("number")
    return words if number is None else f"{number_of(number, 'address', 'es')}: {words}"


PUT_BACK_COMMAND = Command(
    name=PUT_BACK,
    title="Put back",
    does="Puts the addresses that a rule of the scope has left out until now into the frontier;"
    " the rule stays for those met later.",
    act=_put_back,
    value="one of " + ", ".join(f"`{rule}`" for rule in RULES),
    events=(
        EventKind(
            PUT_BACK,
            "Addresses put back",
            _words,
            apply=lambda steering, p: steering.readmit(Exclusion(p["rule"])),
            undo=Undo(
                about=lambda payload: (PUT_BACK, payload["rule"]),
                stands=lambda crawl, p: is_back(crawl, p["rule"]),
                carry_out=lambda crawl, p, by: leave_out(crawl, p["rule"], by),
            ),
        ),
    ),
)
LEAVE_OUT_COMMAND = Command(
    name=LEAVE_OUT,
    title="Leave out again",
    does="Leaves out again what still waits of the addresses that were put back.",
    act=_leave_out,
    value="the rule",
    events=(
        EventKind(
            LEAVE_OUT,
            "Addresses left out again",
            _words,
            apply=lambda steering, p: steering.exclude_again(Exclusion(p["rule"])),
        ),
    ),
)

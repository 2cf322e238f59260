"""A crawl's state badge: the words of `crawls.messages`, icon, colour, and the action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from apps.crawls import messages
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.figures.quantities import count

Tone = Literal["ok", "warn", "bad", "quiet"]


@dataclass(frozen=True, slots=True)
class Action:
    """The next thing to do: `form` is the id of a form on the page, `panel` of a panel to open,
    `link` the name of a URL that takes the topic's number. One of them is set."""

    label: str
    form: str = ""
    panel: str = ""
    link: str = ""

    @property
    def command(self) -> str:
        """The command that the form sends."""
        return self.form.removeprefix("form-")


@dataclass(frozen=True, slots=True)
class StateBadge:
    """A state in words. `tone` is the colour, `icon` a symbol of icons.svg.

    `has_button`: the button in the page header does what `action` would do.
    """

    word: str
    tone: Tone
    icon: str
    reason: str
    action: Action | None
    has_button: bool = False


LOOKS: dict[str, tuple[Tone, str]] = {
    State.DRAFT: ("quiet", "draft"),
    State.QUEUED: ("quiet", "clock"),
    State.RUNNING: ("ok", "play"),
    State.PAUSED: ("warn", "pause"),
    State.STOPPING: ("warn", "stop"),
    State.FINISHED: ("quiet", "check"),
    State.FAILED: ("bad", "cross"),
}
# Reasons with another icon than their state's.
ICONS: dict[str, str] = {
    StopReason.STOPPED_BY_USER: "stop",
    StopReason.DISK_FULL: "warn",
    StopReason.STORE_DOWN: "warn",
    StopReason.NO_NETWORK: "warn",
    StopReason.ALL_HOSTS_BLOCKED: "warn",
}
ENDED = (State.PAUSED, State.FINISHED, State.FAILED)


def state_badge(crawl: Crawl, hosts_free: int = 0, hosts: int = 0) -> StateBadge:
    """The badge of a crawl, with its reason as a sentence and the next thing to do.

    If the number of `hosts` is known, a crawl that learns says how many may be requested now.
    """
    words = messages.state_words(crawl)
    tone, icon = LOOKS[crawl.state]
    if crawl.state in ENDED:
        icon = ICONS.get(crawl.reason, icon)
    return StateBadge(
        word=words.state.capitalize(),
        tone=tone,
        icon=icon,
        reason=_learning(hosts_free, hosts) if hosts and _learns(crawl) else words.reason,
        action=_action(words.action, words.action_label),
        has_button=crawl.state in (State.DRAFT, State.PAUSED)
        and words.action_label in ("Start", "Continue"),
    )


def _learns(crawl: Crawl) -> bool:
    wanted = (State.RUNNING, StopReason.LEARNING, Crawl.Desired.RUN)
    return (crawl.state, crawl.reason, crawl.desired) == wanted


def _learning(free: int, hosts: int) -> str:
    return f"learning; {count(free)} of {count(hosts)} hosts may be requested now"


def _action(name: str, label: str) -> Action | None:
    """The target of an action. None for pausing: its button is in the page header."""
    match name:
        case "start" | "resume":
            return Action(label, form=f"form-{name}")
        case "budget" | "hours" | "recall" | "slope" | "seeds":
            return Action(label, panel=f"{name}-panel")
        case "topic":
            return Action(label, link="topic:edit")
    return None

"""Spider traps: sections of a host that produce new URLs without end but no new content.

Four rules exclude URLs. Excluded URLs are counted and stored, and a person may readmit them.

*Endless paths* (`endless_path`). The path repeats itself or is too deep to be made by people
(`sections.is_endless`).

*Nothing new* (`nothing_new`). Sixty pages of a section have shown that a program generates it
(`suspects`). Its pages are recognised by their texts, not their URLs: URLs of the section that only
such pages link to are excluded. URLs that other pages link to are still fetched, until sixty of
them in a row have led only to more of the trap; then all URLs of their shape are excluded. A page
with other content is never part of the trap.

*Idle parameters* (`idle_parameter`). A parameter or a path segment, such as a session id, did not
change the texts of five pages, or none of its twenty values that of one page (`idle_slots`).

*Subdomain floods* (`subdomain_flood`, only where hosts have delays). Ever new hosts of one domain
answer with the same text (`subdomain_floods`).

The result depends only on the pages and their order, so a replay detects the same traps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from apps.engine.frontier.idle_slots import IdleSlots, keep_newest
from apps.engine.frontier.page_text import PageText
from apps.engine.frontier.sections import all_below, below, is_endless, section_of, shape_of, slots
from apps.engine.frontier.subdomain_floods import SubdomainFloods, location_of
from apps.engine.frontier.suspects import FEW_NEW_WORDS, Suspect

Rule = Literal["endless_path", "nothing_new", "idle_parameter", "subdomain_flood"]

MOST_SUSPECTS = 500
MOST_TEXTS = 30
WASTED_IN_A_ROW = 60


@dataclass(frozen=True, slots=True)
class Trap:
    """A spider trap: `location` is a host, a section of it, or a host with a slot.

    `pages` are the numbers of the pages that are part of it.
    """

    rule: Rule
    location: str
    example: str
    pages: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        return self.rule, self.location


@dataclass(slots=True)
class MadeUp:
    """A generated section: its texts, or whether it only `combines` parameters.

    `wasted` counts its pages since the last with other content, `shapes` are those of their URLs.
    """

    texts: list[frozenset[str]] = field(default_factory=list)
    combines: bool = False
    wasted: int = 0
    shapes: set[str] = field(default_factory=set)

    @property
    def closed(self) -> bool:
        return self.wasted >= WASTED_IN_A_ROW

    def lists(self, text: PageText) -> bool:
        """Whether a page adds hardly any words to the texts and lists more URLs of their shapes.

        An example is a month of a calendar whose days have been fetched.
        """
        if len(text.words.difference(*self.texts)) > FEW_NEW_WORDS:
            return False
        parts = list(filter(None, all_below(text.links, text.section)))
        return 4 * sum(shape_of(part) in self.shapes for part in parts) >= 3 * len(parts) > 0

    def has(self, text: PageText) -> bool:
        """Whether a page has one of the texts, with at most two words replaced."""
        return any(
            len(text.words - words) <= FEW_NEW_WORDS and len(words - text.words) <= FEW_NEW_WORDS
            for words in self.texts
        )

    def state(self) -> list[Any]:
        """The fields as plain values, in their order."""
        texts = [sorted(text) for text in self.texts]
        return [texts, self.combines, self.wasted, sorted(self.shapes)]


class Traps:
    """Detects the traps of one crawl; floods of hosts only with `many_hosts`.

    For each page call `enter`, then check its links, then `leave`.
    """

    def __init__(self, many_hosts: bool = False) -> None:
        self.floods = SubdomainFloods() if many_hosts else None
        self.set_aside: set[tuple[str, str]] = set()
        self.trusted: set[tuple[str, str]] = set()
        self.idle = IdleSlots()
        self._suspects: dict[str, Suspect] = {}
        self._made_up: dict[str, MadeUp] = {}
        self._text: PageText | None = None
        self._inside: str | None = None
        self._news: list[Trap] = []

    def news(self) -> list[Trap]:
        """The traps detected since the last call."""
        news, self._news = self._news, []
        return news

    # Pages -------------------------------------------------------------------------------------

    def enter(self, text: PageText) -> None:
        """Begins a page, before its links are discovered."""
        self._text = text
        self._inside = text.section if self._is_more_of_it(text) else None

    def _is_more_of_it(self, text: PageText) -> bool:
        made_up = self._made_up.get(text.section)
        if made_up is None:
            return False
        suspect = self._suspects.get(text.section)
        combines = made_up.combines and suspect is not None and suspect.is_stale(text)
        return combines or made_up.has(text) or made_up.lists(text)

    def leave(self, number: int, host: str, new: Sequence[str]) -> None:
        """Ends the page with this number and learns from it; `new` are its new URLs."""
        text, self._text = self._text, None
        if text is None:
            return
        if ("nothing_new", text.section) not in self.trusted:
            self._watch(number, text, new)
        for key in self.idle.learn(host, text):
            self._find(Trap("idle_parameter", key, text.url))
        if self.floods is not None and (flooded := self.floods.learn(host, text)):
            self._find(Trap("subdomain_flood", flooded, text.url))
        self._inside = None

    def _watch(self, number: int, text: PageText, new: Sequence[str]) -> None:
        elsewhere = any(section_of(url) != text.section for url in new)
        if text.section in self._made_up:
            self._count_wasted(number, text, elsewhere)
        suspect = self._suspects.pop(text.section, None) or Suspect()
        keep_newest(self._suspects, text.section, suspect, MOST_SUSPECTS)
        suspect.add(number, text, len(new), elsewhere)
        marks = suspect.repeated()
        if marks or suspect.is_combined():
            self._learn(suspect, marks, text)

    def _learn(self, suspect: Suspect, marks: set[int], text: PageText) -> None:
        made_up = self._made_up.setdefault(text.section, MadeUp())
        made_up.texts = [*made_up.texts, *suspect.texts_of(marks)][-MOST_TEXTS:]
        made_up.combines = made_up.combines or not marks
        pages = suspect.part_of_it(marks)
        made_up.shapes.update(filter(_is_made_up, (page.shape for page in pages)))
        suspect.pages.clear()
        numbers = tuple(page.number for page in pages)
        self._news.append(Trap("nothing_new", text.section, text.url, numbers))
        self.set_aside.add(("nothing_new", text.section))

    def _count_wasted(self, number: int, text: PageText, elsewhere: bool) -> None:
        made_up = self._made_up[text.section]
        if self._inside is None or elsewhere:
            made_up.wasted = 0
            return
        made_up.wasted += 1
        made_up.shapes.update(filter(_is_made_up, (text.shape,)))
        if made_up.wasted == WASTED_IN_A_ROW:
            self._news.append(Trap("nothing_new", text.section, text.url, (number,)))

    def _find(self, trap: Trap) -> None:
        if trap.key not in self.set_aside:
            self.set_aside.add(trap.key)
            self._news.append(trap)

    # New URLs ----------------------------------------------------------------------------------

    def refuses(self, url: str, host: str) -> bool:
        """Whether a new URL of the current page is part of a trap."""
        if is_endless(url) and ("endless_path", host) not in self.trusted:
            self._find(Trap("endless_path", host, url))
            return True
        if self._made_up:
            section = section_of(url)
            if section == self._inside or self.is_closed(url, section):
                return True
        if self.floods is not None and self.floods.refuses(url, host):
            return True
        return self.idle.repeats(url, host)

    def is_closed(self, url: str, section: str) -> bool:
        """Whether URLs of this shape are excluded whichever page links to them."""
        made_up = self._made_up.get(section)
        if made_up is None or not made_up.closed:
            return False
        return shape_of(below(url, section) or "") in made_up.shapes

    def returns(self, url: str) -> bool:
        """Whether an excluded URL is readmitted because the current page links to it."""
        section = section_of(url)
        return (
            section in self._made_up
            and section != self._inside
            and not self.is_closed(url, section)
        )

    # Readmission -------------------------------------------------------------------------------

    def covers(self, trap: tuple[str, str], url: str, host: str) -> bool:
        """Whether an excluded URL belongs to this trap."""
        rule, location = trap
        if rule == "endless_path":
            return host == location and is_endless(url)
        if rule == "nothing_new":
            return section_of(url) == location
        if rule == "subdomain_flood":
            return location_of(url, host) == location
        name = location.partition(" ")[2]
        return location.startswith(f"{host} ") and any(slot == name for slot, _, _ in slots(url))

    def trust(self, trap: tuple[str, str]) -> None:
        """Stops treating this as a trap."""
        self.trusted.add(trap)
        self.set_aside.discard(trap)
        rule, location = trap
        if rule == "nothing_new":
            self._made_up.pop(location, None)
        elif rule == "idle_parameter":
            self.idle.trust(location)
        elif rule == "subdomain_flood" and self.floods is not None:
            self.floods.trust(location)

    def state(self) -> dict[str, Any]:
        """The state as plain values."""
        return {
            "set_aside": sorted(self.set_aside),
            "trusted": sorted(self.trusted),
            "suspects": [[section, suspect.state()] for section, suspect in self._suspects.items()],
            "made_up": [[section, *one.state()] for section, one in self._made_up.items()],
            "idle": self.idle.state(),
            "floods": self.floods.state() if self.floods is not None else None,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self.set_aside = {(rule, place) for rule, place in state["set_aside"]}
        self.trusted = {(rule, place) for rule, place in state["trusted"]}
        self._suspects = {place: Suspect.of(stored) for place, stored in state["suspects"]}
        self._made_up = {
            place: MadeUp([frozenset(t) for t in texts], combines, wasted, set(shapes))
            for place, texts, combines, wasted, shapes in state["made_up"]
        }
        self.idle.restore(state["idle"])
        if self.floods is not None and state["floods"] is not None:
            self.floods.restore(state["floods"])


def _is_made_up(shape: str) -> bool:
    """Whether the shape has digits, as counted or random URLs have."""
    return "9" in shape or "x" in shape

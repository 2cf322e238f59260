"""Spider traps: places of a host that give new addresses without end and nothing new with them.

Three rules set addresses aside. They are counted as left out, never deleted, and a person may take
them in again.

*Endless paths* (`endless_path`). The path repeats itself or is deeper than people make it
(`places.is_endless`).

*Nothing new* (`nothing_new`). A place of a host (`places.place_of`: calendars, facets, paths that
are made up) whose pages only lead to more of the same place (`places.leads_on`) and have at most
two words, numbers left out, that it has not shown before: fifteen such pages in a row, and what
only its own pages link to is set aside. A page with new words, or with a new link that leads
elsewhere, and the count begins again, so that a place costs at most some twenty pages for each
that gives something. What any other page links to is fetched all the same.

*Idle parameters* (`idle_parameter`). A parameter or a part of the path that made no difference to
the words of five pages, such as a session's mark: one value of it is enough for each page
(Bar-Yossef et al., Do Not Crawl in the DUST).

All depends on the pages in their order and on nothing else, so that a replay finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal, TypeVar

import numpy as np

from apps.engine.frontier.places import is_endless, leads_on, place_of, slots
from apps.engine.model import Ints

T = TypeVar("T")
Rule = Literal["endless_path", "nothing_new", "idle_parameter"]

SUSPICIOUS = 5
IN_A_ROW = 15
FEW_NEW_WORDS = 2
NARROW = 5
RICH = 3000
MOST_SUSPECTS = 2000

LEAST_WORDS = 5
PAIRS = 5
MOST_PAIRS = 200
MOST_SLOTS = 500


@dataclass(frozen=True, slots=True)
class Trap:
    """What is set aside: `place` is a host, a place of it, or a host with a slot."""

    rule: Rule
    place: str
    example: str

    @property
    def key(self) -> tuple[str, str]:
        return self.rule, self.place


@dataclass(slots=True)
class Suspect:
    """A place whose pages lead only to more of it: how many in a row, how many of them stale."""

    run: int = 0
    stale: int = 0
    words: Ints | None = None


    def compare(self, words: Ints, may_be_wide: bool) -> None:
        """Counts a page that has no more than two words which its place has not shown before.

        Where the place has many times a page's words, that is how manuals are written; only
        queries, which combine what there is, may come from so wide a stock.
        """
        if self.words is None:
            self.words = words
            return
        both = np.union1d(self.words, words)
        fresh = len(both) - len(self.words)
        self.words = both
        is_narrow = len(both) <= NARROW * (len(words) + FEW_NEW_WORDS)
        is_stale = fresh <= FEW_NEW_WORDS and (is_narrow or may_be_wide)
        self.stale = self.stale + 1 if is_stale else 0


class Slot:
    """What the values of one slot of a host's addresses have shown so far."""

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        known = state or {"seen": (), "same": (), "differ": 0}
        self.seen = {rest: (value, words) for rest, value, words in known["seen"]}
        self.same = set(known["same"])
        self.differ = known["differ"]

    def add(self, rest: int, value: int, words: int) -> None:
        """A page whose address is `rest` but for this slot's `value`."""
        first = self.seen.get(rest)
        if first is None:
            if len(self.seen) < MOST_PAIRS:
                self.seen[rest] = (value, words)
        elif first[0] != value:
            if first[1] == words:
                self.same.add(rest)
            else:
                self.differ += 1

    @property
    def idle(self) -> bool:
        return len(self.same) >= PAIRS and self.differ * PAIRS <= len(self.same)

    @property
    def matters(self) -> bool:
        return self.differ >= 3 and not self.idle

    def state(self) -> dict[str, Any]:
        seen = [[rest, value, words] for rest, (value, words) in self.seen.items()]
        return {"seen": seen, "same": sorted(self.same), "differ": self.differ}


class Traps:
    """The traps of one crawl, and what is being learnt of places that may be some."""

    def __init__(self) -> None:
        self.set_aside: set[tuple[str, str]] = set()
        self.trusted: set[tuple[str, str]] = set()
        self._suspects: dict[str, Suspect] = {}
        self._rich: set[str] = set()
        self._slots: dict[str, Slot] = {}
        self._matters: set[str] = set()
        self._idle: dict[str, set[int]] = {}  # by slot: the addresses known, but for its value
        self._news: list[Trap] = []

    def news(self) -> list[Trap]:
        """The traps found since the last call."""
        news, self._news = self._news, []
        return news

    # New addresses -----------------------------------------------------------------------------

    def place_set_aside(self, url: str) -> str | None:
        """The place of a URL if that is set aside for giving nothing new."""
        if not self.set_aside:
            return None
        place = place_of(url)
        return place if ("nothing_new", place) in self.set_aside else None

    def refuses(self, url: str, host: str, source: str | None) -> bool:
        """Whether a URL is part of a trap; `source` is its page's place, if that is set aside."""
        if is_endless(url) and ("endless_path", host) not in self.trusted:
            self._find(Trap("endless_path", host, url))
            return True
        if source is not None and place_of(url) == source:
            return True
        return bool(self._idle) and self._is_one_more(url, host)

    def _is_one_more(self, url: str, host: str) -> bool:
        """Whether the address is known but for the value of an idle slot; notes it if not."""
        for name, _, rest in slots(url):
            known = self._idle.get(f"{host} {name}")
            if known is not None:
                mark = _mark(rest)
                if mark in known:
                    return True
                known.add(mark)
        return False

    # Pages -------------------------------------------------------------------------------------

    def visited(self, url: str, host: str, words: Ints, new: Sequence[str]) -> None:
        """Learns from a page: its distinct `words`, numbers left out, and the URLs it added."""
        self._watch_place(url, words, new)
        if len(words) >= LEAST_WORDS:
            self._watch_slots(url, host, words)

    def _watch_place(self, url: str, words: Ints, new: Sequence[str]) -> None:
        if not new:
            return  # a place that ends is no trap
        place = place_of(url)
        key = ("nothing_new", place)
        if place in self._rich or key in self.set_aside or key in self.trusted:
            return
        suspect = self._suspects.pop(place, None)
        if not all(leads_on(url, place, other) for other in new):
            return
        suspect = suspect or Suspect()
        suspect.run += 1
        if suspect.run > SUSPICIOUS:
            suspect.compare(words, may_be_wide="?" in place)
        if suspect.stale >= IN_A_ROW:
            self._find(Trap("nothing_new", place, url))
        elif suspect.words is not None and len(suspect.words) > RICH:
            self._rich.add(place)
        else:
            _keep(self._suspects, place, suspect, MOST_SUSPECTS)

    def _watch_slots(self, url: str, host: str, words: Ints) -> None:
        text = _mark(words.tobytes())
        for name, value, rest in slots(url):
            key = f"{host} {name}"
            if key in self._matters or key in self._idle or ("idle_parameter", key) in self.trusted:
                continue
            slot = self._slots.pop(key, None) or Slot()
            slot.add(_mark(rest), _mark(value), text)
            if slot.idle:
                self._find(Trap("idle_parameter", key, url))
            elif slot.matters:
                self._matters.add(key)
            else:
                _keep(self._slots, key, slot, MOST_SLOTS)

    def _find(self, trap: Trap) -> None:
        if trap.key not in self.set_aside:
            self.set_aside.add(trap.key)
            self._news.append(trap)

    # Setting aside, and back -------------------------------------------------------------------

    def know(self, key: str, urls: Iterable[str]) -> list[bool]:
        """For an idle slot: which of `urls`, in their order, are known but for its value."""
        known = self._idle.setdefault(key, set())
        name = key.partition(" ")[2]
        repeats = []
        for url in urls:
            mark = next((_mark(rest) for slot, _, rest in slots(url) if slot == name), None)
            repeats.append(mark in known)
            if mark is not None:
                known.add(mark)
        return repeats

    def covers(self, trap: tuple[str, str], url: str, host: str) -> bool:
        """Whether a URL that was set aside belongs to this trap."""
        rule, place = trap
        if rule == "endless_path":
            return host == place and is_endless(url)
        if rule == "nothing_new":
            return place_of(url) == place
        name = place.partition(" ")[2]
        return place.startswith(f"{host} ") and any(slot == name for slot, _, _ in slots(url))

    def trust(self, trap: tuple[str, str]) -> None:
        """Takes this for no trap from now on."""
        self.trusted.add(trap)
        self.set_aside.discard(trap)
        self._idle.pop(trap[1], None)

    def state(self) -> dict[str, Any]:
        """All as arrays and plain values."""
        return {
            "set_aside": sorted(self.set_aside),
            "trusted": sorted(self.trusted),
            "rich": sorted(self._rich),
            "matters": sorted(self._matters),
            "suspects": [
                [place, s.run, s.stale, s.words]
                for place, s in self._suspects.items()
            ],
            "slots": [[key, slot.state()] for key, slot in self._slots.items()],
            "idle": [[key, sorted(known)] for key, known in self._idle.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes back what `state` gave."""
        self.set_aside = {(rule, place) for rule, place in state["set_aside"]}
        self.trusted = {(rule, place) for rule, place in state["trusted"]}
        self._rich = set(state["rich"])
        self._matters = set(state["matters"])
        self._suspects = {
            place: Suspect(run, stale, words)
            for place, run, stale, words in state["suspects"]
        }
        self._slots = {key: Slot(kept) for key, kept in state["slots"]}
        self._idle = {key: set(known) for key, known in state["idle"]}


def distinct(tokens: Ints) -> Ints:
    """The distinct words of a text by their ids, ascending."""
    words = np.sort(tokens[tokens >= 0])  # np.unique takes four times as long for a page
    is_first = np.ones(len(words), np.bool_)
    np.not_equal(words[1:], words[:-1], out=is_first[1:])
    return words[is_first]


def _keep(kept: dict[str, T], key: str, value: T, most: int) -> None:
    """Keeps `value` as the newest, and forgets the oldest beyond so many."""
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]


def _mark(text: str | bytes) -> int:
    data = text.encode() if isinstance(text, str) else text
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")

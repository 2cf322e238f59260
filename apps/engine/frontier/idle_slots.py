"""Idle parameters: slots of a host's URLs whose values do not change the page.

A slot is a parameter or a path segment that may hold a session id (`places.slots`). It is idle
after five pairs of URLs that differ only in its value gave the same text; for a parameter of the
whole host, the pairs must be in five folders. Each page is then fetched with one value only
(Bar-Yossef et al., Do Not Crawl in the DUST).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from apps.engine.frontier.page_text import PageText, mark_of
from apps.engine.frontier.places import folder_of, slots

T = TypeVar("T")

LEAST_WORDS = 5
PAIRS = 5
MOST_PAIRS = 200
MOST_SLOTS = 500


class Slot:
    """The evidence about one slot of a host's URLs."""

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        known = state or {"seen": (), "same": (), "differ": 0}
        self.seen = {rest: (value, text) for rest, value, text in known["seen"]}
        self.same = set(known["same"])
        self.differ = known["differ"]

    def add(self, rest: int, value: int, text: int, witness: int) -> None:
        """Adds a page whose URL has this `value` and the given `rest`; each witness counts once."""
        first = self.seen.get(rest)
        if first is None:
            if len(self.seen) < MOST_PAIRS:
                self.seen[rest] = (value, text)
        elif first[0] != value:
            if first[1] == text:
                self.same.add(witness)
            else:
                self.differ += 1

    @property
    def idle(self) -> bool:
        return len(self.same) >= PAIRS and self.differ * PAIRS <= len(self.same)

    @property
    def matters(self) -> bool:
        return self.differ >= 3 and not self.idle

    def state(self) -> dict[str, Any]:
        seen = [[rest, value, text] for rest, (value, text) in self.seen.items()]
        return {"seen": seen, "same": sorted(self.same), "differ": self.differ}


class IdleSlots:
    """The idle slots and candidates of a crawl's hosts. Keys are `host slot`."""

    def __init__(self) -> None:
        self._slots: dict[str, Slot] = {}
        self._matters: set[str] = set()
        self._idle: dict[str, set[int]] = {}  # by slot: hashes of the known URLs without its value

    def learn(self, host: str, text: PageText) -> Iterator[str]:
        """Compares a page with those of other values; yields the slots that become idle."""
        found = list(slots(text.url))
        if not found or text.size < LEAST_WORDS:
            return
        for name, value, rest in found:
            key = f"{host} {name}"
            if key in self._matters or key in self._idle:
                continue
            slot = self._slots.pop(key, None) or Slot()
            witness = folder_of(rest) if name.startswith("?") else rest
            slot.add(mark_of(rest), mark_of(value), text.mark, mark_of(witness))
            if slot.idle:
                yield key
            elif slot.matters:
                self._matters.add(key)
            else:
                keep_newest(self._slots, key, slot, MOST_SLOTS)

    def repeats(self, url: str, host: str) -> bool:
        """Whether a known URL differs only in the value of an idle slot. Adds the URL if not."""
        if not self._idle:
            return False
        for name, _, rest in slots(url):
            known = self._idle.get(f"{host} {name}")
            if known is not None:
                mark = mark_of(rest)
                if mark in known:
                    return True
                known.add(mark)
        return False

    def know(self, key: str, urls: Iterable[str]) -> list[bool]:
        """For each of `urls`, whether a known URL differs only in the value of this idle slot."""
        known = self._idle.setdefault(key, set())
        name = key.partition(" ")[2]
        repeats = []
        for url in urls:
            mark = next((mark_of(rest) for slot, _, rest in slots(url) if slot == name), None)
            repeats.append(mark in known)
            if mark is not None:
                known.add(mark)
        return repeats

    def trust(self, key: str) -> None:
        """Stops treating the slot as idle."""
        self._idle.pop(key, None)
        self._matters.add(key)

    def state(self) -> dict[str, Any]:
        """The state as plain values."""
        return {
            "matters": sorted(self._matters),
            "slots": [[key, slot.state()] for key, slot in self._slots.items()],
            "idle": [[key, sorted(known)] for key, known in self._idle.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._matters = set(state["matters"])
        self._slots = {key: Slot(kept) for key, kept in state["slots"]}
        self._idle = {key: set(known) for key, known in state["idle"]}


def keep_newest(kept: dict[str, T], key: str, value: T, most: int) -> None:
    """Stores `value` as the newest, and removes the oldest if there are more than `most`."""
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]

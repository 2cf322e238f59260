"""Idle parameters: slots of a host's addresses whose value makes no difference to the pages.

A slot is a parameter or a part of the path that may hold a session's mark (`places.slots`). Five
pairs of addresses that differ in its value alone and gave the same text make it idle, for a
parameter anywhere on the host pairs in five folders: one value is enough for each page
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
    """What the values of one slot of a host's addresses have shown so far."""

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        known = state or {"seen": (), "same": (), "differ": 0}
        self.seen = {rest: (value, text) for rest, value, text in known["seen"]}
        self.same = set(known["same"])
        self.differ = known["differ"]

    def add(self, rest: int, value: int, text: int, witness: int) -> None:
        """A page whose address is `rest` but for this slot's `value`; witnesses count once."""
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
    """The idle slots of a crawl's hosts, and those that may be some. Keys are `host slot`."""

    def __init__(self) -> None:
        self._slots: dict[str, Slot] = {}
        self._matters: set[str] = set()
        self._idle: dict[str, set[int]] = {}  # by slot: the addresses known, but for its value

    def learn(self, host: str, text: PageText) -> Iterator[str]:
        """Compares a page with those of other values; gives the slots found idle just now."""
        if len(text.words) < LEAST_WORDS:
            return
        for name, value, rest in slots(text.url):
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
        """Whether the address is known but for the value of an idle slot; notes it if not."""
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
        """For an idle slot: which of `urls`, in their order, are known but for its value."""
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
        """Every value of the slot counts from now on."""
        self._idle.pop(key, None)
        self._matters.add(key)

    def state(self) -> dict[str, Any]:
        """All as plain values."""
        return {
            "matters": sorted(self._matters),
            "slots": [[key, slot.state()] for key, slot in self._slots.items()],
            "idle": [[key, sorted(known)] for key, known in self._idle.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes back what `state` gave."""
        self._matters = set(state["matters"])
        self._slots = {key: Slot(kept) for key, kept in state["slots"]}
        self._idle = {key: set(known) for key, known in state["idle"]}


def keep_newest(kept: dict[str, T], key: str, value: T, most: int) -> None:
    """Keeps `value` as the newest, and forgets the oldest beyond so many."""
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]

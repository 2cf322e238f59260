"""Idle parameters: slots of a host's URLs whose values do not change the page.

A slot is a parameter or a path segment that may hold a session id (`sections.slots`). It is idle
after five pairs of URLs that differ only in its value gave the same text; for a parameter of the
whole host, the pairs must be in five folders. Each page is then fetched with one value only
(Bar-Yossef et al., Do Not Crawl in the DUST).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from apps.engine.frontier.page_text import PageText, mark_of
from apps.engine.frontier.sections import folder_of, slots

T = TypeVar("T")

LEAST_WORDS = 5
PAIRS = 5
PAIRS_OF_PAGE = 20
# Of what is named and looks like a session, each value counts, in however few folders and pages.
_SESSION = re.compile(r"(?:s|sid|session|session_?id)=[0-9a-f]{16,}", re.IGNORECASE)
MOST_PAIRS = 200
MOST_SLOTS = 500


class Slot:
    """The evidence about one slot of a host's URLs; `of_page` if it is a parameter of one page."""

    def __init__(self, of_page: bool = False, state: Mapping[str, Any] | None = None) -> None:
        self.of_page = of_page
        stored = state or {"seen": (), "same": (), "differ": 0}
        self.seen = {rest: (value, text) for rest, value, text in stored["seen"]}
        self.same = set(stored["same"])
        self.differ = stored["differ"]

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
        if self.of_page:
            return len(self.same) >= PAIRS_OF_PAGE and not self.differ
        return len(self.same) >= PAIRS and self.differ * PAIRS <= len(self.same)

    @property
    def matters(self) -> bool:
        return self.differ >= (1 if self.of_page else 3) and not self.idle

    def state(self) -> dict[str, Any]:
        seen = [[rest, value, text] for rest, (value, text) in self.seen.items()]
        return {"seen": seen, "same": sorted(self.same), "differ": self.differ}


class IdleSlots:
    """The idle slots and candidates of a crawl's hosts. Keys are `host slot`."""

    def __init__(self) -> None:
        self._slots: dict[str, Slot] = {}
        self._matters: set[str] = set()
        self._idle: dict[str, set[int]] = {}  # by slot: hashes of its URLs without the value

    def learn(self, host: str, text: PageText) -> Iterator[str]:
        """Compares a page with those of other values; yields the slots that become idle."""
        page_slots = list(slots(text.url))
        if not page_slots or text.size < LEAST_WORDS:
            return
        for name, value, rest in page_slots:
            key = f"{host} {name}"
            if key in self._matters or key in self._idle:
                continue
            slot = self._slots.pop(key, None) or Slot(_is_of_page(name))
            witness = folder_of(rest) if name.startswith("?") else rest
            if slot.of_page or _SESSION.fullmatch(f"{name.rpartition('?')[2]}={value}"):
                witness = f"{rest} {value}"
            # A log-in page has numbers that some of its values have too, which are its own.
            mark = text.whole_mark if slot.of_page else text.mark
            slot.add(mark_of(rest), mark_of(value), mark, mark_of(witness))
            if slot.idle:
                yield key
            elif slot.matters:
                self._matters.add(key)
            else:
                keep_newest(self._slots, key, slot, MOST_SLOTS)

    def repeats(self, url: str, host: str) -> bool:
        """Whether an earlier URL differs only in the value of an idle slot. Adds the URL if not."""
        if not self._idle:
            return False
        for name, _, rest in slots(url):
            hashes = self._idle.get(f"{host} {name}")
            if hashes is not None:
                mark = mark_of(rest)
                if mark in hashes:
                    return True
                hashes.add(mark)
        return False

    def repeats_among(self, key: str, urls: Iterable[str]) -> list[bool]:
        """Whether an earlier URL differs only in the value of this idle slot, for each of
        `urls`."""
        hashes = self._idle.setdefault(key, set())
        name = key.partition(" ")[2]
        repeats = []
        for url in urls:
            mark = next((mark_of(rest) for slot, _, rest in slots(url) if slot == name), None)
            repeats.append(mark in hashes)
            if mark is not None:
                hashes.add(mark)
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
            "idle": [[key, sorted(hashes)] for key, hashes in self._idle.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._matters = set(state["matters"])
        self._slots = {key: Slot(_is_of_page(key), stored) for key, stored in state["slots"]}
        self._idle = {key: set(hashes) for key, hashes in state["idle"]}


def _is_of_page(name: str) -> bool:
    """Whether a slot, with its host or without, is a parameter of a single page."""
    page, asks, _ = name.rpartition(" ")[2].partition("?")
    return bool(asks and page) and not page.endswith("/")


def keep_newest(entries: dict[str, T], key: str, value: T, most: int) -> None:
    """Stores `value` as the newest, and removes the oldest if there are more than `most`."""
    entries[key] = value
    if len(entries) > most:
        del entries[next(iter(entries))]

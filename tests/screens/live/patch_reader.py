"""Patches read as the page's script reads them (static/js/live/patches.js)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.screens.live.fragments import ROW
from apps.screens.live.patches import TOKEN, Patch


class PatchReader:
    """Reads patches in the order in which they were written."""

    def __init__(self) -> None:
        self._tokens: list[str] = []

    def read(self, before: str, patch: Patch) -> str:
        copied = len(self._tokens)
        self._tokens += TOKEN.findall(before)
        made = len(self._tokens)
        rest = iter(patch)
        for part in rest:
            if isinstance(part, str):
                self._tokens += TOKEN.findall(part)
            else:
                start = copied + part
                copied = start + int(next(rest))
                self._tokens += self._tokens[start:copied]
        return "".join(self._tokens[made:])


class SentPieces:
    """The pieces of HTML as last sent; `take` returns a message's rows and pieces."""

    def __init__(self) -> None:
        self.number = 0
        self.pieces: dict[str, str] = {}

    def take(self, message: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
        if message["kind"] == "snapshot":
            self.number, self.pieces = message["number"], dict(message["fragments"])
            return "".join(message["rows"]), self.pieces
        if message["number"] <= self.number:
            return "", {}
        assert message["number"] == self.number + 1, "a delta is missing"
        self.number += 1
        reader = PatchReader()
        rows = [reader.read(self.pieces[ROW], patch) for patch in message["rows"]]
        if rows:
            self.pieces[ROW] = rows[0]
        reader = PatchReader()
        changed = {
            id: reader.read(self.pieces.get(id, ""), patch)
            for id, patch in message["fragments"].items()
        }
        self.pieces |= changed
        return "".join(rows), changed

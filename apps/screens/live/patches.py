"""HTML as a patch of HTML that the page has already.

Both sides cut HTML into tokens, before every `<`, `"` and `/`, and append those of each HTML before
and after to one list. A patch is a list of parts: a string stands for itself, two numbers copy
tokens of that list, the first counted from the end of the copy before, the second how many.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

Patch = list[str | int]

TOKEN = re.compile(r'[<"/]?[^<"/]+|[<"/]')
# The numbers of a copy take about so many characters; a shorter run of tokens is written out.
COPY_LENGTH = 12


class PatchWriter:
    """Writes patches, each of which may copy from those before it."""

    def __init__(self) -> None:
        self._tokens: list[str] = []
        self._newest: dict[str, int] = {}

    def write(self, before: str, after: str) -> Patch:
        """The patch that makes `after`, where the page has `before`.

        At each position the longer of two copies is taken: of what follows the last copy, and of
        what follows the newest token like the next one.
        """
        copied = len(self._tokens)
        self._append(TOKEN.findall(before))
        wanted = TOKEN.findall(after)
        parts: Patch = []
        at = literals = 0
        while at < len(wanted):
            start, length = self._longest(wanted, at, copied + literals)
            made = wanted[at : at + max(1, length)]
            if sum(map(len, made)) >= COPY_LENGTH and length:
                parts += [start - copied, length]
                copied, literals = start + length, 0
            else:
                _write_out("".join(made), parts)
                literals += len(made)
            self._append(made)
            at += len(made)
        return parts

    def _append(self, tokens: Sequence[str]) -> None:
        first = len(self._tokens)
        self._tokens += tokens
        self._newest.update(zip(tokens, range(first, len(self._tokens)), strict=True))

    def _longest(self, wanted: Sequence[str], at: int, aligned: int) -> tuple[int, int]:
        """The start of the longer run that equals what is wanted from `at` on, and its length."""
        length = self._run(wanted, at, aligned)
        newest = self._newest.get(wanted[at], aligned)
        if newest != aligned and (other := self._run(wanted, at, newest)) > length:
            return newest, other
        return aligned, length

    def _run(self, wanted: Sequence[str], at: int, start: int) -> int:
        tokens = self._tokens
        most = min(len(tokens) - start, len(wanted) - at)
        length = 0
        while length < most and tokens[start + length] == wanted[at + length]:
            length += 1
        return length


def _write_out(text: str, parts: Patch) -> None:
    last = parts[-1] if parts else None
    if isinstance(last, str):
        parts[-1] = last + text
    else:
        parts.append(text)

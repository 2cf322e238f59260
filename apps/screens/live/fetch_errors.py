"""Requests without a page: fetch errors, separate from pages excluded by a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.engine.codes import REFUSED_BY_RULE
from apps.webs.messages import failure_words

Kind = tuple[int, str, str]


@dataclass(frozen=True, slots=True)
class FetchErrors:
    """Kinds as (number of requests, words, code), the most frequent first.

    `failed` are errors; `refused` yielded no page because of a rule: robots.txt, the scope, a page
    that was fetched already, or a type that is not text.
    """

    failed: tuple[Kind, ...]
    refused: tuple[Kind, ...]

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> FetchErrors:
        """From the number of requests that ended with each kind."""
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        kinds = [(number, failure_words(code), code) for code, number in ordered]
        return cls(
            tuple(kind for kind in kinds if kind[2] not in REFUSED_BY_RULE),
            tuple(kind for kind in kinds if kind[2] in REFUSED_BY_RULE),
        )

    @property
    def all(self) -> tuple[Kind, ...]:
        return self.failed + self.refused

    @property
    def errors(self) -> int:
        return sum(number for number, _, _ in self.failed)

    @property
    def by_rule(self) -> int:
        return sum(number for number, _, _ in self.refused)

"""How far people who label the same pages agree beyond chance.

Cohen, J. (1960): A coefficient of agreement for nominal scales. Educational and Psychological
Measurement 20(1), 37–46. The standard error is that of Fleiss, J. L., Cohen, J. and Everitt, B. S.
(1969): Large sample standard errors of kappa and weighted kappa. Psychological Bulletin 72(5),
323–327, equation 13. Krippendorff, K. (2011): Computing Krippendorff's alpha-reliability, section
C, nominal data with missing answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TypeVar

from apps.engine.evaluation.wilson import CONFIDENCE

Person = TypeVar("Person")


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """The answers of two people to the same pages: `yes_no` are pages to which the first says yes
    and the second no."""

    yes_yes: int = 0
    yes_no: int = 0
    no_yes: int = 0
    no_no: int = 0

    @classmethod
    def count(cls, pairs: Iterable[tuple[bool, bool]]) -> AnswerTable:
        """Counts the pairs of answers of the first and the second person."""
        cells = {(a, b): 0 for a in (True, False) for b in (True, False)}
        for pair in pairs:
            cells[pair] += 1
        return cls(*cells.values())

    @property
    def pages(self) -> int:
        return self.yes_yes + self.yes_no + self.no_yes + self.no_no

    @property
    def differ(self) -> int:
        return self.yes_no + self.no_yes

    @property
    def agree(self) -> int:
        return self.yes_yes + self.no_no

    @property
    def yes(self) -> tuple[int, int]:
        """The numbers of pages to which the first and the second person answer yes."""
        return self.yes_yes + self.yes_no, self.yes_yes + self.no_yes

    @property
    def by_chance(self) -> float | None:
        """The share on which two would agree who say yes as often, at random; None for no page."""
        if not self.pages:
            return None
        first, second = (yes / self.pages for yes in self.yes)
        return first * second + (1 - first) * (1 - second)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None if one of the two gave the same answer to all pages: it would be 0,
        or undefined, whatever the other says."""
        chance = self.by_chance
        if chance is None or any(yes in (0, self.pages) for yes in self.yes):
            return None
        return (self.agree / self.pages - chance) / (1 - chance)

    @property
    def error(self) -> float | None:
        """The large-sample standard error of kappa; None without kappa, and for full agreement, of
        which the formula makes 0."""
        kappa, chance = self.kappa, self.by_chance
        if kappa is None or chance is None or not self.differ:
            return None
        n = self.pages
        (first, second) = (yes / n for yes in self.yes)
        diagonal = (
            self.yes_yes / n * (1 - (first + second) * (1 - kappa)) ** 2
            + self.no_no / n * (1 - (2 - first - second) * (1 - kappa)) ** 2
        )
        beside = (1 - kappa) ** 2 * (
            self.yes_no / n * (second + 1 - first) ** 2
            + self.no_yes / n * (1 - second + first) ** 2
        )
        variance = diagonal + beside - (kappa - chance * (1 - kappa)) ** 2
        return sqrt(max(0.0, variance)) / ((1 - chance) * sqrt(n))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Between which values kappa lies in 95 of 100 samples; None without an error."""
        kappa, error = self.kappa, self.error
        if kappa is None or error is None:
            return None
        half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error
        return max(-1.0, kappa - half), min(1.0, kappa + half)


def krippendorffs_alpha(pages: Iterable[Mapping[Person, bool]]) -> float | None:
    """Alpha of the answers to each page by person, some of which may be missing; None if fewer than
    two people answered any page, or all answers are the same."""
    differ, yes, no = 0.0, 0, 0
    for answers in pages:
        if len(answers) < 2:
            continue
        agree = sum(answers.values())
        against = len(answers) - agree
        differ += 2 * agree * against / (len(answers) - 1)
        yes, no = yes + agree, no + against
    if not yes or not no:
        return None
    return 1 - (yes + no - 1) * differ / (2 * yes * no)

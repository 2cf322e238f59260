"""How often a page changes, estimated from visits at uneven intervals.

Changes are taken to come as a Poisson process, of which a visit sees whether there was any since
the last one. Cho and Garcia-Molina (Estimating Frequency of Change, ACM TOIT 3(3), 2003, §6) give
the maximum likelihood for uneven intervals: Σ t / (exp(λt) − 1) over the intervals with a change
equals Σ t over those without. With the mean of the former for each of them it can be solved, and a
prior counts as one more interval (their bias correction, §5, is the same with another number).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, expm1, log1p
from typing import NamedTuple

PRIOR_INTERVALS = 1.0
KIND_DAYS = 30.0
"""Days of observation that the prior of a kind counts as, against what its host has shown."""
LONGEST = 365.0
LEAST_DAYS = 1e-9

RATES: Mapping[str, float] = {
    "page": 1 / 40,
    "front": 1 / 4,
    "list": 1 / 7,
    "feed": 1 / 2,
    "sitemap": 1 / 4,
}
"""Changes a day by kind, before any visit."""


class Exposure(NamedTuple):
    """What visits have seen: so many `changes`, over `changed_days` in which there was one, and
    `same_days` without any."""

    changes: int = 0
    changed_days: float = 0.0
    same_days: float = 0.0

    @property
    def days(self) -> float:
        return self.changed_days + self.same_days

    def plus(self, other: Exposure) -> Exposure:
        """Both together."""
        return Exposure(
            self.changes + other.changes,
            self.changed_days + other.changed_days,
            self.same_days + other.same_days,
        )


@dataclass(frozen=True, slots=True)
class HostRates:
    """The prior rate of pages by host and kind, from what all pages of a host have shown."""

    by_host: Mapping[tuple[str, str], Exposure]

    def prior(self, host: str, kind: str) -> float:
        """Changes a day of a page of that host and kind that no visit has seen yet."""
        usual = RATES[kind]
        seen = self.by_host.get((host, kind), Exposure())
        return (usual * KIND_DAYS + seen.changes) / (KIND_DAYS + seen.days)


def rate_of(seen: Exposure, prior: float) -> float:
    """Changes a day."""
    intervals = seen.changes + (1 if seen.same_days else 0)
    # After a clock was put back, intervals have no length.
    usual = seen.days / intervals if intervals and seen.days else 1.0
    with_change = PRIOR_INTERVALS * -expm1(-prior * usual)
    changes = seen.changes + with_change
    changed = seen.changed_days + usual * with_change
    same = max(LEAST_DAYS, seen.same_days + PRIOR_INTERVALS * usual * exp(-prior * usual))
    mean = changed / changes
    return log1p(changed / same) / mean


def chance_of_change(rate: float, days: float) -> float:
    """The probability of a change within so many days."""
    return -expm1(-rate * max(0.0, days))


def days_until(rate: float, chance: float) -> float:
    """After how many days a change is as probable as `chance`; at most a year."""
    return min(LONGEST, -log1p(-chance) / rate) if rate > 0 else LONGEST

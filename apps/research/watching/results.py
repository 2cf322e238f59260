"""The results of a month by each policy on one web, as they are saved."""

from __future__ import annotations

from apps.months.result import PolicyResult
from apps.research.effectiveness.saved_result import SavedResult


class WatchResult(SavedResult):
    """All policies on the same web; `budget` is the most requests of a visit, `days` how long."""

    results_field = "policies"
    days: int
    new: float
    hosts: int
    budget: int
    policies: dict[str, PolicyResult] = {}

    def with_policy(self, name: str, result: PolicyResult) -> WatchResult:
        """A copy with one policy more."""
        return self.model_copy(update={"policies": {**self.policies, name: result}})

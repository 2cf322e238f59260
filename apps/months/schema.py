"""The input of a run of months: the web, the seeds and the policies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from apps.months.changing_web import WebScript
from apps.months.policies import POLICIES, PolicyRun
from apps.schemas.input import Input, accepts
from apps.schemas.one_of import OneOf
from apps.schemas.refused import Refused

MOST_SEEDS = 5
LEAST_OF_HOST = 10
"""Pages."""
Seed = Annotated[int, Field(ge=0, le=1_000_000)]
PolicyName = Annotated[str, OneOf(POLICIES)]


class MonthDesign(Input):
    """Months of webs of `pages` pages on `hosts` hosts, a quarter of them on the topic, with `new`
    pages a day on the topic and as many off it, for some simulated `days`; at most `requests` a
    visit. There is a web for each of the `seeds`, which is watched by each of the `policies`."""

    pages: Annotated[int, Field(ge=40, le=5_000)] = 300
    hosts: Annotated[int, Field(ge=1, le=50)] = 4
    new: Annotated[float, Field(ge=0.5, le=50)] = 3.0
    days: Annotated[int, Field(ge=3, le=90)] = 10
    requests: Annotated[int, Field(ge=5, le=1_000)] = 40
    seeds: Annotated[
        tuple[Seed, ...],
        Field(min_length=1, max_length=MOST_SEEDS, strict=False),
        accepts(f"one to {MOST_SEEDS} different whole numbers from 0 to 1,000,000"),
    ] = (7,)
    policies: Annotated[
        tuple[PolicyName, ...],
        Field(min_length=1, max_length=len(POLICIES), strict=False),
        accepts(f"at least one of {', '.join(POLICIES)}, each once"),
    ] = tuple(POLICIES)

    def check(self) -> None:
        """Raises Refused for what contradicts itself."""
        if self.hosts * LEAST_OF_HOST > self.pages:
            most = self.pages // LEAST_OF_HOST
            raise Refused("hosts", f"Give at most {most}: a host for {LEAST_OF_HOST} pages.")
        for field in ("seeds", "policies"):
            chosen = getattr(self, field)
            if len({*chosen}) < len(chosen):
                raise Refused(field, "Name each only once.")

    def runs(self) -> Iterator[tuple[int, PolicyRun]]:
        """Each seed with each policy, in the order in which they run."""
        for seed in self.seeds:
            script = WebScript(
                hosts=self.hosts, pages=self.pages, new=self.new, days=self.days, seed=seed
            )
            for policy in self.policies:
                yield seed, PolicyRun(policy, script, self.requests)


FULL = MonthDesign(pages=1_200, hosts=12, new=8.0, days=30, requests=120)
"""The month that a watch is held to."""

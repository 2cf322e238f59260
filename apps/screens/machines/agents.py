"""Lent agents as rows, by machine or by the crawls that they serve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby

from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from apps.crawls.models import Crawl
from apps.engine.agents.broker import STEPS
from apps.figures.quantities import number_of
from apps.machines.models import MachineEvent
from apps.machines.registry import AgentRecord
from apps.screens.machines.states import STATES, StateMark, age_words, verb
from apps.screens.sparkline import Sparkline, sparkline

REFUSED_FOR = timedelta(days=1)
"""For so long a refused machine is listed, unless it joins."""


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent; `line` is its pages a second of the last ten minutes, `rate` those of now, of one
    crawl where the rows are of that; None if it is silent."""

    agent: AgentRecord
    line: Sparkline
    rate: float | None

    @property
    def status(self) -> StateMark:
        return STATES[self.agent.state]

    @property
    def is_silent(self) -> bool:
        return self.agent.state == "silent"

    @property
    def label(self) -> str:
        return f"agent-{self.agent.word.number}"

    @property
    def more(self) -> str:
        """The effect of the state on its requests."""
        if self.agent.state == "draining":
            return f"{number_of(self.agent.word.out, 'request')} left"
        if not self.is_silent or not self.agent.given_again:
            return ""
        return f"{number_of(self.agent.given_again, 'request')} given out again"

    @property
    def age(self) -> str:
        return age_words(self.agent.age)

    @property
    def verb(self) -> str:
        return verb(self.agent.state, self.agent.age)


@dataclass(frozen=True, slots=True)
class RefusedAgents:
    """Agents or workers of a machine that were refused: what they run, seconds ago."""

    what: str
    words: str
    age: float

    @property
    def ago(self) -> str:
        return age_words(self.age)


@dataclass(frozen=True, slots=True)
class AgentGroup:
    """The agents of a machine or of a crawl, which `crawl` is then, with their pages a second."""

    name: str
    about: str
    rows: list[AgentRow]
    crawl: Crawl | None = None
    refused: RefusedAgents | None = None

    @property
    def rate(self) -> float | None:
        rates = [row.rate for row in self.rows if row.rate is not None]
        return sum(rates) if rates else None

    @property
    def running(self) -> list[str]:
        """The names of the agents that can be drained."""
        return [row.agent.name for row in self.rows if row.agent.state == "running"]


def by_machine(agents: Sequence[AgentRecord], coordinators: set[str]) -> list[AgentGroup]:
    """The machines of these agents, in their order, then refused machines; `coordinators` are the
    machines that run crawls."""
    groups = []
    for name, group in groupby(rows_of(agents), key=lambda row: row.agent.word.machine):
        rows = list(group)
        newest = max((row.agent for row in rows), key=lambda agent: agent.word.sent_at).word
        about = [number_of(newest.cores, "core") + f", {filesizeformat(newest.machine_memory)}"]
        if name in coordinators:
            about.append("coordinators run here, too")
        groups.append(AgentGroup(name, " · ".join(about), rows))
    return groups + list(refused())


def by_crawl(agents: Sequence[AgentRecord], crawls: Sequence[Crawl]) -> list[AgentGroup]:
    """Running crawls with their agents, then the agents without a crawl."""
    rows, groups = rows_of(agents), []
    for crawl in crawls:
        serving = [
            replace(row, rate=_rate_for(row.agent, crawl))
            for row in rows
            if crawl.pk in row.agent.crawls
        ]
        beside = number_of(crawl.agents, "agent") if crawl.agents else "no agent"
        groups.append(
            AgentGroup(
                f"#{crawl.pk} {crawl.topic.name}", f"{beside} of its own beside it", serving, crawl
            )
        )
    served = {crawl.pk for crawl in crawls}
    others = [row for row in rows if not served.intersection(row.agent.crawls)]
    return groups + ([AgentGroup("No crawl", "these serve none now", others)] if others else [])


def _rate_for(agent: AgentRecord, crawl: Crawl) -> float:
    return sum(
        rate
        for session, rate in agent.word.rates_by.items()
        if session.partition(".")[0] == str(crawl.pk)
    )


def rows_of(agents: Sequence[AgentRecord]) -> list[AgentRow]:
    """The rows in the same order; all sparklines share one scale."""
    top = max((rate for agent in agents for rate in agent.word.rates), default=0.0) or 1.0
    return [
        AgentRow(
            agent, _last_minutes(agent, top), None if agent.state == "silent" else agent.word.rate
        )
        for agent in agents
    ]


def _last_minutes(agent: AgentRecord, top: float) -> Sparkline:
    rates = agent.word.rates
    missing: list[float | None] = [None] * (STEPS - len(rates))
    return sparkline("Last 10 minutes", "ink", [*missing, *rates], top, "")


def refused() -> Iterator[AgentGroup]:
    """The machines that were refused of late and have not joined since."""
    now = timezone.now()
    of_late = MachineEvent.objects.filter(
        at__gt=now - REFUSED_FOR, kind__in=("refused", "agents_joined", "workers_joined")
    )
    latest = {event.machine: event for event in reversed(of_late)}
    for name, event in sorted(latest.items()):
        if event.kind == "refused":
            payload = event.payload
            words = f"it runs {payload['version']} ({payload['code']}), the site {payload['site']}"
            age = (now - event.at).total_seconds()
            yield AgentGroup(name, "", [], refused=RefusedAgents(payload["what"], words, age))

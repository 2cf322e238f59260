"""A run of months as its screen and its row in the list show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.template.loader import render_to_string

from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.marks import MARKS
from apps.figures.quantities import count, number_of
from apps.figures.traces import Dots
from apps.jobs.models import Job
from apps.months.models import MonthRun
from apps.months.result import PolicyResult
from apps.months.schema import MonthDesign
from apps.months.selectors import MonthProgress, PolicyMeans, policy_means, progress, state_of
from apps.screens.figure_box import FigureBox
from apps.screens.stamps import Piece

FIGURE = "policies"
TITLE = "What each policy sees, and what it costs"
BADGES = {
    "failed": ("bad", "cross"),
    "waiting": ("quiet", "clock"),
    "running": ("ok", "play"),
    "ended": ("ok", "check"),
}


@dataclass(frozen=True)
class MonthRow:
    """A run of months as the screen shows it."""

    run: MonthRun

    @cached_property
    def design(self) -> MonthDesign:
        return MonthDesign.read(self.run.design)

    @cached_property
    def progress(self) -> MonthProgress:
        return progress(self.run)

    @property
    def title(self) -> str:
        """`300 pages, 10 days`, by which the runs are told apart."""
        return f"{count(self.design.pages)} pages, {number_of(self.design.days, 'day')}"

    @property
    def set_up(self) -> str:
        """The rest of the design in words."""
        design, seeds = self.design, ", ".join(map(str, self.design.seeds))
        return (
            f"{number_of(design.hosts, 'host')}, {design.new:g} new pages a day on the topic and as"
            f" many off it, at most {count(design.requests)} requests a visit,"
            f" seed{'s' * (len(design.seeds) > 1)} {seeds}"
        )

    @property
    def goes_on(self) -> bool:
        return self.run.is_under_way

    @property
    def has_failed(self) -> bool:
        return self.run.job_state == Job.State.FAILED

    @property
    def badge(self) -> tuple[str, str, str]:
        """Tone, icon and word of its state."""
        state = state_of(self.run)
        return (*BADGES[state], state)

    @property
    def state_words(self) -> str:
        """Its state in words, with the reason if it does not run."""
        now = self.progress
        if self.has_failed:
            return self.run.job_problem
        if self.run.is_waiting:
            return "A worker begins it soon; months run one after the other."
        if now.seed is None:
            return ""
        if not now.visits:
            return f"{now.policy}, seed {now.seed}: the web is crawled once"
        return f"{now.policy}, seed {now.seed}: day {now.visits} of {self.design.days}"

    @cached_property
    def means(self) -> Sequence[PolicyMeans]:
        return policy_means(self.run)

    @property
    def by_seed(self) -> list[tuple[int, str, PolicyResult]]:
        """Each month that has ended."""
        return [
            (seed, policy, PolicyResult.read(results[policy]))
            for seed in self.design.seeds
            for results in [self.run.results.get(str(seed), {})]
            for policy in self.design.policies
            if policy in results
        ]

    def pieces(self) -> list[Piece]:
        """The pieces of the row that change while it is shown."""
        return [
            Piece(name, render_to_string(f"months/{name}.html", {"row": self}))
            for name in ("state", "results")
        ]


def month_figure(row: MonthRow) -> Figure:
    """The policies beside each other: three shares of each."""
    names = tuple(each.policy for each in row.means)
    shares: tuple[tuple[str, list[float | None]], ...] = (
        ("seen within a day", [each.recall for each in row.means]),
        ("copies current", [each.freshness for each in row.means]),
        ("of a full recrawl’s requests", [each.share for each in row.means]),
    )
    axis = Axis("", "share")
    dots = tuple(
        Dots(label, mark.colour, [*range(len(names))], values, mark=mark.symbol)
        for mark, (label, values) in zip(MARKS[1:], shares, strict=False)
    )
    texts = [(each.label, each.texts(axis)) for each in dots]
    reading = "; ".join(
        f"{name}: " + ", ".join(f"{label} {values[index]}" for label, values in texts)
        for index, name in enumerate(names)
    )
    return Figure(Axis("", "", names=names), axis, dots, reading=f"{reading}.", grouped=False)


def figure_box(figure: Figure) -> FigureBox:
    """The texts of the figure."""
    legend = [(mark, trace.label) for mark, trace in zip(MARKS[1:], figure.traces, strict=False)]
    caption = render_to_string("months/caption.html", {"title": TITLE, "legend": legend})
    return FigureBox(FIGURE, TITLE, caption, figure.reading, table=figure.as_table())

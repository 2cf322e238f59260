"""docs/watching.md, of the months that are saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from apps.engine.evaluation.significance import mean_of_defined
from apps.figures.quantities import NOTHING
from apps.months.result import GOAL_RECALL, GOAL_SHARE, PolicyResult
from apps.research.markdown import render, table
from apps.research.watching.results import WatchResult

HEAD = (
    "policy",
    "requests",
    "of a whole recrawl",
    "new relevant pages",
    "seen within a day",
    "copies current",
    "changes seen",
    "false",
    "missed",
    "gone",
    "falsely",
)
UNDATED = "without dates"
SAME_BUDGET = ("uniform", "proportional")


def write_document(results: Sequence[WatchResult]) -> str:
    """The whole document."""
    adaptive = [(each.web, each.policies["adaptive"]) for each in results]
    return render(
        "watching.md",
        results=[{"of": each, "table": policy_table(each)} for each in results],
        reached=[web for web, result in adaptive if result.reaches_goals],
        others=[web for web, result in adaptive if not result.reaches_goals],
        dates=_effect_of_dates(results),
        less_current=[each.web for each in results if _is_less_current(each)],
        recall=GOAL_RECALL,
        share=GOAL_SHARE,
    )


def _is_less_current(result: WatchResult) -> bool:
    """Whether a policy with the same budget has more current copies than the adaptive one."""
    others = [each for name, each in result.policies.items() if name in SAME_BUDGET]
    adaptive = result.policies["adaptive"].freshness
    return any(
        each.freshness is not None and adaptive is not None and each.freshness > adaptive
        for each in others
    )


@dataclass(frozen=True, slots=True)
class DatesEffect:
    """The effect of sitemaps' dates on the adaptive policy, as means over `webs`, with a sign: to
    the share of new relevant pages seen within a day, to that of current copies, and to the changes
    seen."""

    webs: int
    recall: str
    freshness: str
    changes: str


def _effect_of_dates(results: Sequence[WatchResult]) -> DatesEffect | None:
    """Over the webs on which both ran; None if there is none."""
    pairs = [
        (each.policies["adaptive"], each.policies[UNDATED])
        for each in results
        if UNDATED in each.policies
    ]
    if not pairs:
        return None
    return DatesEffect(
        len(pairs),
        _mean_change((dated.recall, undated.recall) for dated, undated in pairs),
        _mean_change((dated.freshness, undated.freshness) for dated, undated in pairs),
        f"{fmean(dated.changes - undated.changes for dated, undated in pairs):+.1f}",
    )


def _mean_change(pairs: Iterable[tuple[float | None, float | None]]) -> str:
    """The mean of the differences of two shares, over the webs that have both; a dash without."""
    changes = (None if a is None or b is None else a - b for a, b in pairs)
    mean = mean_of_defined(changes).mean
    return NOTHING if mean is None else f"{mean:+.3f}"


def policy_table(result: WatchResult) -> str:
    """The policies of one web, a row each."""
    return table(HEAD, [list(_cells(*each)) for each in result.policies.items()])


def _cells(name: str, result: PolicyResult) -> Iterator[str]:
    yield f"**{name}**" if name == "adaptive" else name
    yield f"{result.requests:,}"
    yield f"{result.share:.3f}"
    yield f"{result.seen} of {result.born}"
    yield NOTHING if result.recall is None else f"{result.recall:.3f}"
    yield NOTHING if result.freshness is None else f"{result.freshness:.3f}"
    yield from map(
        str, (result.changes, result.false, result.missed, result.gone, result.false_gone)
    )

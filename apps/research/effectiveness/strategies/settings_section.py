"""Whether another default would find more, over all webs, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.experiments.results.paired_tests import LEVEL
from apps.figures.quantities import NOTHING
from apps.research.effectiveness.strategies.result import WebResult
from apps.research.markdown import render, table

SETTINGS: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType(
    {
        "The mean of the parents instead of the best": (
            ("Full page, parents mean", "Full page, parents max"),
            ("Text window combo, β 0.25, parents mean", "Text window combo, β 0.25, parents max"),
            ("Text window combo, β 0.5, parents mean", "Text window combo, β 0.5, parents max"),
            ("Tag tree combo, β 0.5, parents mean", "Tag tree combo, β 0.5, parents max"),
        ),
        "β .5 instead of .25": (
            ("Text window combo, β 0.5, parents max", "Text window combo, β 0.25, parents max"),
            ("Text window combo, β 0.5, parents mean", "Text window combo, β 0.25, parents mean"),
            ("Tag tree combo, β 0.5, parents max", "Tag tree combo, β 0.25, parents max"),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class _Change:
    """The effect of another value on a crawler, over the webs where both were run."""

    setting: str
    crawler: str
    by_web: Mapping[str, float]
    better: int
    worse: int
    p: float | None


def settings_section(results: Sequence[WebResult]) -> str:
    """The section, or nothing if no web has both values of a setting."""
    every = [
        _change(setting, *pair, results) for setting, pairs in SETTINGS.items() for pair in pairs
    ]
    changes = [change for change in every if change.by_web]
    if not changes:
        return ""
    webs = [result.web for result in results]
    after_holm = holm([change.p for change in changes])
    pairs = [*zip(changes, after_holm, strict=True)]
    return render(
        "effectiveness/settings.md",
        table=table(
            ["what instead of the default", "crawler", *webs, "better, worse on topics", "p"],
            [_row(change, webs, p) for change, p in pairs],
        ),
        settings=[
            _verdict(setting, of_setting)
            for setting in SETTINGS
            if (of_setting := [pair for pair in pairs if pair[0].setting == setting])
        ],
    )


def _change(setting: str, other: str, default: str, results: Sequence[WebResult]) -> _Change:
    both = [result for result in results if {other, default} <= result.crawlers.keys()]
    ours = [value for result in both for value in result.crawlers[other].recall]
    theirs = [value for result in both for value in result.crawlers[default].recall]
    by_web = {
        result.web: float(result.crawlers[other].values.mean())
        / float(result.crawlers[default].values.mean())
        for result in both
    }
    p = paired_t_test(ours, theirs).p if ours else None
    return _Change(setting, other, by_web, *wins(ours, theirs), p)


def _row(change: _Change, webs: Sequence[str], p: float | None) -> list[str]:
    ratios = [f"{change.by_web[web]:.2f}" if web in change.by_web else NOTHING for web in webs]
    return [
        change.setting,
        change.crawler,
        *ratios,
        f"{change.better}, {change.worse}",
        NOTHING if p is None else f"{p:.3f}",
    ]


def _verdict(setting: str, rows: Sequence[tuple[_Change, float | None]]) -> Mapping[str, Any]:
    """The verdict on all rows of a setting together."""
    shown = [change for change, p in rows if p is not None and p < LEVEL]
    ratios = [pair for change, _ in rows for pair in change.by_web.items()]
    return {
        "title": setting,
        "crawlers": len(rows),
        "better": sum(change.better > change.worse for change in shown),
        "worse": sum(change.better < change.worse for change in shown),
        "behind": sorted({web for web, ratio in ratios if ratio < 1}),
    }

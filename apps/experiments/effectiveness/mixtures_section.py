"""Whether a mixture does much worse than its best member, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.experiments.effectiveness.result import Found, WebResult
from apps.experiments.markdown import table
from apps.experiments.paired_tests import LEVEL
from apps.figures.quantities import number_of, probability, signed

LEARNER = "Learner"
MEMBERS: Mapping[str, Sequence[str]] = MappingProxyType({
    "Experts": (LEARNER, "Breadth-first", "Full page, parents max",
                "Text window combo, β 0.25, parents max"),
    "Host Thompson": ("Full page, parents max",),
})
"""The crawlers that a mixture is made of, at the defaults of both."""

METHOD = """\
**Experts** mixes the learner, breadth-first, Full Page and the text window combo; **Host Thompson**
multiplies the odds of Full Page's chances by draws for the target's host and folder, and is made
for webs of many hosts (webkb and many-hosts have hundreds, the other webs one). Its form is one of
eight that were tried: on the made webs many-hosts, portals and notices it found 1.00, 1.02 and .98
× what Full Page finds, as much as any but for noise, and it is the simplest of those. Two of them
were compared on webkb, too; the other webs had no part in it. Here each mixture stands against that
of its members which finds most on the web: *worst topic* is its largest loss of recall on one
topic. *p* is of two-tailed paired t-tests over topics, corrected by Holm over these rows."""


def mixtures_section(results: Sequence[WebResult], learner: str) -> Iterator[str]:
    """The section, or nothing if no mixture was run; `learner` is the candidate with the learner's
    own weights."""
    run = [(name, result) for name in MEMBERS for result in results if name in result.crawlers]
    if not run:
        return
    pairs = [(result.crawlers[name], *_best(name, result, learner)) for name, result in run]
    corrected = holm([paired_t_test(mine.recall, best.recall).p for mine, _, best in pairs])
    yield "## Mixtures"
    yield METHOD
    yield table(
        ["mixture", "web", "recall", "its best member", "× it", "worst topic",
         "better, worse on topics", "p"],
        [_row(name, result.web, *pair, p)
         for (name, result), pair, p in zip(run, pairs, corrected, strict=True)])
    yield "\n".join(f"- {_said(name, run, pairs, corrected)}" for name in MEMBERS
                    if any(name == each for each, _ in run))


def _best(name: str, result: WebResult, learner: str) -> tuple[str, Found]:
    """The member that finds most, and what it found."""
    members = {member: result.crawlers[learner if member == LEARNER else member]
               for member in MEMBERS[name]}
    best = max(members, key=lambda member: float(members[member].values.mean()))
    return best, members[best]


def _row(
    name: str, web: str, mine: Found, member: str, best: Found, p: float | None
) -> list[str]:
    better, worse = wins(mine.recall, best.recall)
    loss = float(np.min(mine.values - best.values))
    return [name, web, f"{mine.values.mean():.3f}", f"{best.values.mean():.3f} ({member})",
            f"{_ratio(mine, best):.2f}", signed(min(loss, 0.0), 3), f"{better}, {worse}",
            probability(p)]


def _said(
    name: str, run: Sequence[tuple[str, WebResult]],
    pairs: Sequence[tuple[Found, str, Found]], corrected: Sequence[float | None],
) -> str:
    """How a mixture did over all webs."""
    mine = [(result.web, _ratio(found, best), p)
            for (each, result), (found, _, best), p in zip(run, pairs, corrected, strict=True)
            if each == name]
    web, least, _ = min(mine, key=lambda each: each[1])
    shown = [web for web, ratio, p in mine if ratio < 1 and p is not None and p < LEVEL]
    worse = f"shown to be worse on {', '.join(shown)}" if shown else "on no web shown to be worse"
    return (f"**{name}** finds at least {least:.2f} × what its best member finds ({web}), {worse},"
            f" over {number_of(len(mine), 'web')}.")


def _ratio(mine: Found, best: Found) -> float:
    return float(mine.values.mean() / best.values.mean())

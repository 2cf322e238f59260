"""How well estimated recall tells what is left, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean, median

from apps.engine.evaluation.estimated_recall import (
    WIDER_BY_JUDGES,
    WIDER_BY_LABELS,
    Estimate,
)
from apps.experiments.effectiveness.recall_calibration import factor_of, holds
from apps.experiments.effectiveness.recall_result import RecallResult
from apps.experiments.effectiveness.recalling import BY_JUDGES, BY_LABELS, BY_TRUTH, LABELS
from apps.experiments.markdown import table
from apps.figures.quantities import NOTHING, signed

GOAL = 0.85
WAYS = (BY_TRUTH, BY_JUDGES, BY_LABELS)

METHOD = f"""\
Crawls by the learner of {{pages}} pages, whose truth is known: what they can reach of a topic is
all of its pages, beside the seeds, that links lead to. At several moments the estimate is compared
with the truth: whether the 90 % interval holds it, how wide the interval is, how much the share in
it is too high or too low on average, and what the next thousand requests were said to add and did
add. The estimate knows which pages are relevant from **{BY_TRUTH}**, as on a recorded web where
nobody judges; from **the judges**, who were trained on half of the topic's examples (the crawler on
the other half); or from these and **{LABELS} labels** of a person, who knows the truth, on the
pages that the product proposes by then. The rates that are considered were chosen on cora, webkb
and wikispeedia; how labels correct the judges on these topics of wikispeedia and on a made web of
many hosts.

```
manage.py effectiveness --web NAME --recall --save docs/effectiveness
```"""

WIDER = """\
Judges err, and on each web in their own way. So where they are asked, the product widens the
interval: so many times fewer pages may be left at the least, and more at the most. Here every web
has the factor that lets the intervals of all **other** webs hold the truth in 90 of 100 cases, each
web counting the same (conformal calibration), and stands for a web that nobody has looked at:"""


@dataclass(frozen=True, slots=True)
class _Case:
    """One estimate and the truth."""

    truth: float
    at: int
    added: int | None
    said: Estimate

    @property
    def width(self) -> float:
        low, _, high = self.said.recall()
        return high - low

    @property
    def error(self) -> float:
        return self.said.recall()[1] - self.truth


def recall_section(results: Sequence[RecallResult]) -> Iterator[str]:
    """The section, or nothing without results."""
    if not results:
        return
    yield "## Estimated recall"
    yield METHOD.replace("{pages}", f"{results[0].pages:,}")
    head = ["who says what is relevant", *(f"{each.web} ({len(each.topics)} topics)"
            for each in results), "all", "said − true", "cases"]
    yield "How many intervals hold the truth and, in brackets, how wide they are:"
    yield table(head, [_row(results, way) for way in WAYS])
    if len(results) > 1:
        yield WIDER
        yield table(head[:-2], [_wider_row(results, way) for way in (BY_JUDGES, BY_LABELS)])
    moments = sorted({case.at for case in _cases(results, BY_TRUTH)})
    yield "The first table over all webs, by the number of requests:"
    yield table(["who says what is relevant", *(f"{at:,}" for at in moments)],
                [_by_moment(results, way, moments) for way in WAYS])
    yield "What the next thousand requests add:"
    yield table(["who says what is relevant", "said, mean", "added, mean", "said, median",
                 "added, median", "at most twice or half", "cases"],
                [_ahead(results, way) for way in WAYS])
    yield _said(results)


def _cases(results: Sequence[RecallResult], way: str, factor: float = 1.0) -> list[_Case]:
    """What was said, with intervals so many times wider."""
    return [_Case(moment.found / topic.reachable, moment.at, moment.added,
                  moment.said[way].estimate().wider(factor))
            for each in results for topic, moment in each.cases()]


def _row(results: Sequence[RecallResult], way: str) -> list[str]:
    every = _cases(results, way)
    error = 100 * fmean(case.error for case in every)
    return [way, *(_held(_cases([each], way)) for each in results), _held(every),
            f"{signed(error, 0)} points", f"{len(every)}"]


def _others(results: Sequence[RecallResult], web: RecallResult, way: str) -> float:
    """The factor that the other webs ask for."""
    return factor_of([each for each in results if each is not web], way)


def _wider_row(results: Sequence[RecallResult], way: str) -> list[str]:
    wider = [_cases([each], way, _others(results, each, way)) for each in results]
    cells = [f"{_held(cases)}, × {_others(results, each, way):.1f}"
             for each, cases in zip(results, wider, strict=True)]
    return [way, *cells, _held([*chain(*wider)])]


def _by_moment(results: Sequence[RecallResult], way: str, moments: Sequence[int]) -> list[str]:
    every = _cases(results, way)
    return [way, *(_held([case for case in every if case.at == at]) for at in moments)]


def _held(cases: Sequence[_Case]) -> str:
    if not cases:
        return NOTHING
    return f"{_percent(_share(cases))} ({fmean(case.width for case in cases):.2f})"


def _share(cases: Sequence[_Case]) -> float:
    return fmean(holds(case.said, case.truth) for case in cases)


def _ahead(results: Sequence[RecallResult], way: str) -> list[str]:
    pairs = [(case.said.soon, case.added) for case in _cases(results, way)]
    known = [(said, added) for said, added in pairs if added is not None]
    if not known:
        return [way, *[NOTHING] * 5, "0"]
    said, added = zip(*known, strict=True)
    near = fmean((a + 1) / 2 <= s + 1 <= 2 * (a + 1) for s, a in known)
    return [way, f"{fmean(said):.1f}", f"{fmean(added):.1f}", f"{median(said):.1f}",
            f"{median(added):.1f}", _percent(near), f"{len(known)}"]


def _said(results: Sequence[RecallResult]) -> str:
    """How often the interval holds the truth against the goal, in a sentence."""
    shares = (f"by {way} in {_percent(_share(_cases(results, way)))}" for way in WAYS)
    return (f"The 90 % interval holds the truth {', '.join(shares)} of the cases before it is"
            f" widened; the goal is {_percent(GOAL)}. The product widens it by"
            f" {WIDER_BY_JUDGES:g} where judges say what is relevant, by {WIDER_BY_LABELS:g} where"
            " five labels or more correct them, and not where nobody judges.")


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"

"""Verdicts on a paper's claims, by what was observed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from apps.engine.evaluation.significance import (
    effect_size,
    half_interval,
    holm,
    paired_t_test,
    pairs_needed,
)
from apps.engine.model import Floats
from apps.experiments.results.paired_tests import LEVEL
from apps.papers.schema import Claim
from apps.papers.tables.observed import Observed
from apps.schemas.input import Input

TO_BE_SURE = 1.96
"""Standard errors within a margin for an interval of 0.95 to lie within it."""
OF_ITS_DATA = "a level of the paper's own data, which other data cannot contradict"


class ClaimVerdict(StrEnum):
    """The verdict on a claim.

    At a level of 0.05, two-tailed, after Holm over all comparisons of a run: a difference is
    reproduced if it is shown in the claimed direction, and contradicted if shown in the other one.
    That two are equal (or one is not higher) is reproduced if the interval lies within the margin,
    and contradicted if a difference is shown that does not. A figure is reproduced if our interval
    lies within the margin of it, and contradicted if it lies outside, unless the figure is a level
    of the paper's own data.
    """

    REPRODUCED = "reproduced"
    CONTRADICTED = "contradicted"
    NOT_SHOWN = "not shown"
    CANNOT = "cannot be tested here"


Kind = Literal["difference", "figure"]


class Finding(Input):
    """A claim tested by one measure on one pair of crawlers, one trend or one figure.

    `value` is the mean over `cases` of the difference or of the figure, with its 95 % `interval`;
    `base` is the mean of the second crawler of a pair. `p` is two-tailed and paired, `holm` the
    same corrected for all comparisons of the run. `needed` cases would show a difference of this
    size. `why` explains a verdict that is no answer.
    """

    claim: str
    measure: str
    compared: str
    kind: Kind
    verdict: Annotated[ClaimVerdict, Field(strict=False)]
    cases: int = 0
    value: float | None = None
    interval: Annotated[tuple[float, float] | None, Field(strict=False)] = None
    base: float | None = None
    published: float | None = None
    p: float | None = None
    holm: float | None = None
    needed: int | None = None
    why: str = ""

    def but(self, **values: Any) -> Finding:
        """A copy with other values."""
        return self.model_copy(update=values)


@dataclass(frozen=True, slots=True)
class _Question:
    """One comparison of a claim, with the values of the cases that have one, and the
    second crawler's."""

    claim: Claim
    measure: str
    compared: str
    values: Floats
    base: Floats | None = None
    published: float | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """The key of the comparison; two claims may share it."""
        claim = self.claim
        return self.measure, self.compared, claim.during, claim.part


def findings(claims: Sequence[Claim], observed: Observed) -> tuple[Finding, ...]:
    """Every comparison of the claims, in their order; one that several claims ask for counts once
    in Holm's correction."""
    measured = [
        (question, _measured(question, observed))
        for claim in claims
        for question in _questions(claim, observed)
    ]
    tested = {question.key: finding.p for question, finding in measured if finding.p is not None}
    corrected = dict(zip(tested, holm([*tested.values()]), strict=True))
    return tuple(
        _decided(question, finding.but(holm=corrected.get(question.key)), observed, len(tested))
        for question, finding in measured
    )


def whole_verdict(comparisons: Sequence[Finding]) -> ClaimVerdict:
    """The verdict on a claim by all its comparisons: contradicted if one is, reproduced if all that
    can be tested are."""
    verdicts = {finding.verdict for finding in comparisons} - {ClaimVerdict.CANNOT}
    if ClaimVerdict.CONTRADICTED in verdicts:
        return ClaimVerdict.CONTRADICTED
    if not verdicts:
        return ClaimVerdict.CANNOT
    return (
        ClaimVerdict.REPRODUCED if verdicts == {ClaimVerdict.REPRODUCED} else ClaimVerdict.NOT_SHOWN
    )


def _questions(claim: Claim, observed: Observed) -> Iterator[_Question]:
    if claim.cannot:
        yield _Question(claim, "", "", np.empty(0))
    for measure, (first, second) in product(claim.measures, claim.pairs):
        ours, theirs = (_column(claim, observed, measure, name) for name in (first, second))
        defined = np.isfinite(ours) & np.isfinite(theirs)
        yield _Question(
            claim, measure, f"{first} − {second}", (ours - theirs)[defined], theirs[defined]
        )
    for measure in claim.measures if claim.order else ():
        columns = np.array([_column(claim, observed, measure, name) for name in claim.order])
        defined = np.isfinite(columns).all(axis=0)
        yield _Question(
            claim, measure, f"{claim.order[0]} → {claim.order[-1]}", _rise(columns[:, defined])
        )
    for measure, (name, published) in product(claim.measures, claim.figures.items()):
        column = _column(claim, observed, measure, name)
        values = column[np.isfinite(column)]
        if claim.direction is None:
            yield _Question(claim, measure, name, values, published=published)
        else:
            yield _Question(claim, measure, f"{name} − {published:g}", values - published)


def _column(claim: Claim, observed: Observed, measure: str, crawler: str) -> Floats:
    if crawler not in observed.crawlers:
        return np.full(observed.cases, np.nan)
    return observed.column(measure, crawler, claim.during, claim.part)


def _rise(columns: Floats) -> Floats:
    """How much a straight line through the crawlers' values rises from the first to the last, in
    each case."""
    steps = np.arange(len(columns)) - (len(columns) - 1) / 2
    rise: Floats = (len(columns) - 1) * steps @ columns / (steps**2).sum()
    return rise


def _measured(question: _Question, observed: Observed) -> Finding:
    """The finding without its verdict; p is missing if no test is made."""
    values, claim = question.values, question.claim
    is_figure = question.published is not None
    finding = Finding(
        claim=claim.id,
        measure=question.measure,
        compared=question.compared,
        kind="figure" if is_figure else "difference",
        verdict=ClaimVerdict.CANNOT,
        cases=len(values),
        published=question.published,
    )
    if not len(values):
        return finding
    half, mean = half_interval(values.tolist()), float(values.mean())
    test = paired_t_test(values.tolist(), [0.0] * len(values))
    tested = len(values) >= observed.fewest and not is_figure and values.any()
    return finding.but(
        value=mean,
        p=test.p if tested else None,
        interval=None if half is None else (mean - half, mean + half),
        base=None if question.base is None else float(question.base.mean()),
    )


def _decided(question: _Question, finding: Finding, observed: Observed, compared: int) -> Finding:
    claim = question.claim
    if finding.value is None:
        why = claim.cannot or claim.needs or f"no {observed.case} has these values"
        return finding.but(why=why)
    if finding.kind == "figure":
        return decide_figure(claim, finding)
    if not question.values.any():
        return finding.but(why=f"they did the same on every {observed.case}")
    if finding.p is None:
        enough = finding.cases >= observed.fewest
        why = (
            f"every {observed.case} differs by the same amount, so that no test can be made"
            if enough
            else f"a test needs {observed.count_words(observed.fewest)}"
        )
        return finding.but(verdict=ClaimVerdict.NOT_SHOWN, why=why)
    if claim.direction in ("higher", "lower"):
        return _decided_difference(question, finding, compared)
    return _decided_equality(question, finding)


def decide_figure(claim: Claim, finding: Finding) -> Finding:
    """The finding on a published figure with its verdict."""
    assert finding.value is not None and finding.published is not None and claim.within is not None
    if finding.interval is None:
        return finding.but(verdict=ClaimVerdict.NOT_SHOWN, why="one value has no interval")
    low, high = (end - finding.published for end in finding.interval)
    if -claim.within <= low and high <= claim.within:
        return finding.but(verdict=ClaimVerdict.REPRODUCED)
    if high < -claim.within or low > claim.within:
        if claim.of_its_data:
            return finding.but(verdict=ClaimVerdict.NOT_SHOWN, why=OF_ITS_DATA)
        return finding.but(verdict=ClaimVerdict.CONTRADICTED)
    room = claim.within - abs(finding.value - finding.published)
    if room <= 0:
        why = OF_ITS_DATA if claim.of_its_data else "the mean is outside the margin"
        return finding.but(verdict=ClaimVerdict.NOT_SHOWN, why=why)
    half = (high - low) / 2
    return finding.but(
        verdict=ClaimVerdict.NOT_SHOWN, needed=int(np.ceil(finding.cases * (half / room) ** 2))
    )


def one_tailed(claim: Claim, finding: Finding) -> float | None:
    """p of the one-tailed test of the claimed direction, uncorrected, as the papers have it; None
    where no direction is claimed or no test was made."""
    if finding.p is None or finding.value is None or claim.direction not in ("higher", "lower"):
        return None
    toward = (finding.value > 0) is (claim.direction == "higher")
    return finding.p / 2 if toward else 1 - finding.p / 2


def _decided_difference(question: _Question, finding: Finding, compared: int) -> Finding:
    assert finding.value is not None and finding.holm is not None
    toward = (finding.value > 0) is (question.claim.direction == "higher")
    if finding.holm < LEVEL:
        shown = ClaimVerdict.REPRODUCED if toward else ClaimVerdict.CONTRADICTED
        return finding.but(verdict=shown)
    values = question.values.tolist()
    effect = effect_size(values, [0.0] * len(values))
    needed = pairs_needed(effect, level=LEVEL / compared) if effect else None
    why = "" if toward or not finding.value else "the mean points the other way"
    return finding.but(verdict=ClaimVerdict.NOT_SHOWN, needed=needed, why=why)


def _decided_equality(question: _Question, finding: Finding) -> Finding:
    claim, value = question.claim, finding.value
    assert value is not None and finding.holm is not None and claim.within is not None
    low, high = finding.interval or (value, value)
    above, below = claim.direction != "not lower", claim.direction != "not higher"
    if (high < claim.within or not above) and (low > -claim.within or not below):
        return finding.but(verdict=ClaimVerdict.REPRODUCED)
    if finding.holm < LEVEL and ((value > 0 and above) or (value < 0 and below)):
        return finding.but(verdict=ClaimVerdict.CONTRADICTED)
    room = min(claim.within - value if above else np.inf, claim.within + value if below else np.inf)
    spread = float(question.values.std(ddof=1))
    needed = int(np.ceil((TO_BE_SURE * spread / room) ** 2)) if room > 0 else None
    return finding.but(verdict=ClaimVerdict.NOT_SHOWN, needed=needed)

"""Findings in words and numbers, for the command and the document."""

from __future__ import annotations

from collections.abc import Mapping

from apps.figures.quantities import MINUS, NOTHING, THIN, p_value, probability, signed
from apps.papers.claims import ClaimVerdict, Finding, one_tailed
from apps.papers.result import CrawlerMean
from apps.papers.schema import Claim
from apps.papers.tables.observed import Quantity, Unit, number_of_cases

MANY = 1_000
_DECIMALS: Mapping[Unit, int] = {"share": 3, "score": 3, "log": 3, "count": 1, "seconds": 3}


def mean_words(mean: CrawlerMean, quantity: Quantity) -> str:
    """`0.382 ± 0.036`: a mean and half of its interval."""
    if mean.mean is None:
        return NOTHING
    decimals = _DECIMALS[quantity.unit]
    half = "" if mean.half is None else f" ± {mean.half:,.{decimals}f}"
    return f"{_number(mean.mean, decimals)}{half}"


def value_words(finding: Finding, quantity: Quantity, relative: bool) -> str:
    """`+0.023 (−0.004 to +0.050)`, as a share of the second crawler's mean `−34 % (−50 to −18 %)`;
    of a figure `0.270 (0.250 to 0.290)`."""
    if finding.value is None:
        return NOTHING
    if relative and finding.base and finding.base > 0:
        scale, decimals, unit = 100 / finding.base, 0, f"{THIN}%"
    else:
        scale, decimals, unit = 1.0, _DECIMALS[quantity.unit], ""

    def number(value: float) -> str:
        value *= scale
        is_figure = finding.kind == "figure"
        return _number(value, decimals) if is_figure else signed(value, decimals)

    if finding.interval is None:
        return number(finding.value) + unit
    low, high = finding.interval
    return f"{number(finding.value)}{unit} ({number(low)} to {number(high)}{unit})"


def _number(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}".replace("-", MINUS)


def verdict_words(finding: Finding, claim: Claim, case: str) -> str:
    """The verdict, with its reason or cause or with what would be needed."""
    cause = claim.cause if finding.verdict is ClaimVerdict.CONTRADICTED else ""
    more = "; ".join(filter(None, (finding.why, cause, _needed(finding, case))))
    return f"{finding.verdict}: {more}" if more else finding.verdict.value


def _needed(finding: Finding, case: str) -> str:
    if finding.verdict is not ClaimVerdict.NOT_SHOWN or (finding.needed or 0) <= finding.cases:
        return ""
    assert finding.needed is not None
    if finding.needed > MANY:
        return f"more than {number_of_cases(MANY, case)} needed"
    return f"about {number_of_cases(finding.needed, case)} needed"


def tested_words(finding: Finding) -> str:
    """`, p = 0.012`, or `, the paper 0.37` of a figure; nothing if there is neither."""
    if finding.published is not None:
        return f", the paper {finding.published:g}".replace("-", MINUS)
    return "" if finding.holm is None else f", {p_value(finding.holm)}"


def one_tailed_words(finding: Finding, claim: Claim) -> str:
    """`0.012`, the papers' own test of a difference; nothing where it is not made."""
    p = one_tailed(claim, finding)
    return "" if p is None else probability(p)


def compared_words(finding: Finding, quantity: Quantity | None, claim: Claim) -> str:
    """The two sides of a comparison in words, with the quantity if the claim is about several."""
    name = f" ({quantity.title.lower()})" if quantity and len(claim.measures) > 1 else ""
    return f"{finding.compared}{name}"

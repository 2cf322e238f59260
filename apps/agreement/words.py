"""Sentences about inter-annotator agreement, without adjectives."""

from __future__ import annotations

from collections.abc import Sequence

from apps.agreement.comparing import FEWEST_PAGES, Part
from apps.engine.evaluation.agreement import AnswerTable
from apps.figures.quantities import number_of

FEW = "Kappa from 20 shared pages on."


def interval_words(interval: tuple[float, float]) -> str:
    """`0.68–0.93`; a bound below 0 has a minus."""
    low, high = (f"{end:.2f}".replace("-", "−") for end in interval)
    return f"{low}–{high}" if interval[0] >= 0 else f"{low} to {high}"


def undefined_words(agreement: AnswerTable) -> str:
    """Why kappa of two people is undefined: one of them gave one answer to all pages."""
    always = [yes for yes in agreement.yes if yes in (0, agreement.pages)]
    if not always:
        return ""
    who = "one of you" if len(always) == 1 else "both of you"
    answer = "yes" if always[0] else "no"
    if len({*always}) == 2:
        return f"Kappa can’t be computed: each of you gave one answer to all {agreement.pages:,}."
    return f"Kappa can’t be computed: {who} said {answer} to all {agreement.pages:,}."


def chance_words(share: float) -> str:
    """`by chance alone you would agree on 52 %`."""
    amount = "half" if round(100 * share) == 50 else f"{100 * share:.0f} %"
    return f"by chance alone you would agree on {amount}"


def measure_words(part: Part) -> str:
    """The measure of a part in a sentence: its value and interval, or why there is none."""
    if not part.is_enough:
        return FEW if part.agreement else FEW.replace("Kappa", "Alpha")
    if part.agreement is None:
        if part.alpha is None:
            return "Alpha can’t be computed: all answers are the same."
        return f"Krippendorff’s alpha is {part.alpha:.2f}."
    kappa, chance = part.agreement.kappa, part.agreement.by_chance
    if kappa is None or chance is None:
        return undefined_words(part.agreement)
    interval = part.agreement.interval
    spread = (
        f", 95 % interval {interval_words(interval)}"
        if interval
        else "; full agreement has no interval"
    )
    return f"Kappa is {kappa:.2f}{spread}: {chance_words(chance)}."


def where_words(parts: Sequence[Part]) -> str:
    """Where most of the disagreement is: the languages and kinds with more than half of the
    differences, and with more of them than of the pages. Empty if there is no such part."""
    whole, *rest = parts
    names = [
        part.title
        for part in rest
        if part.id.startswith("lang-") or part.id in ("pages", "documents")
        if 2 * part.differ > whole.differ and part.differ * whole.pages > part.pages * whole.differ
    ]
    if whole.pages < FEWEST_PAGES or not names:
        return ""
    where = " and in ".join(_pages(name) for name in names)
    return f"Most of the disagreement is in {where}."


def _pages(title: str) -> str:
    if title == "Pages":
        return "web pages"
    return title if title.endswith("documents") else f"{title} pages"


def more_pages_words(part: Part, more: int) -> str:
    """The confidence interval now and with `more` shared pages: `from ± 0.12 to about ± 0.11`."""
    if part.interval is None:
        return ""
    low, high = part.interval
    half = (high - low) / 2
    after = half * (part.pages / (part.pages + more)) ** 0.5
    return (
        f"{number_of(more, 'page')} more for both would bring the interval from ± {half:.2f} to"
        f" about ± {after:.2f}."
    )

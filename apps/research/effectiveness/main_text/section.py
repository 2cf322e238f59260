"""Main text against whole text, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.figures.quantities import probability, signed
from apps.research.effectiveness.main_text.result import TextResult
from apps.research.effectiveness.main_text.study import MOST_OTHERS, MOST_RELEVANT
from apps.research.markdown import render, table

LEVEL = 0.05
HEAD = (
    "web",
    "figure",
    "whole text",
    "main text",
    "difference",
    "higher, lower on topics",
    "p",
)


def text_section(results: Sequence[TextResult]) -> str:
    """The section, or nothing without results."""
    if not results:
        return ""
    tests = [_tests(result) for result in results]
    gains = [
        float(np.mean(figure.main) - np.mean(figure.whole))
        for result, p_values in zip(results, tests, strict=True)
        for name, figure in result.figures.items()
        if (p := p_values[name]) is not None and p < LEVEL
    ]
    return render(
        "effectiveness/main_text.md",
        pages=" or ".join(map(str, sorted({result.pages for result in results}))),
        relevant=MOST_RELEVANT,
        others=MOST_OTHERS,
        figures=sum(map(len, tests)),
        shown=len(gains),
        higher=sum(gain > 0 for gain in gains),
        lower=sum(gain < 0 for gain in gains),
        table=table(
            [*HEAD],
            [row for each, p in zip(results, tests, strict=True) for row in _rows(each, p)],
        ),
    )


def _tests(result: TextResult) -> dict[str, float | None]:
    """The p-value of each figure, after Holm over those of the web."""
    raw = [paired_t_test(each.main, each.whole).p for each in result.figures.values()]
    return dict(zip(result.figures, holm(raw), strict=True))


def _rows(result: TextResult, tests: dict[str, float | None]) -> Iterator[list[str]]:
    web = f"{result.web}: {len(result.topics)} topics"
    for name, each in result.figures.items():
        whole, main = float(np.mean(each.whole)), float(np.mean(each.main))
        higher, lower = wins(each.main, each.whole)
        yield [
            web,
            name,
            f"{whole:.3f}",
            f"{main:.3f}",
            signed(main - whole, 3),
            f"{higher}, {lower}",
            probability(tests[name]),
        ]
        web = ""

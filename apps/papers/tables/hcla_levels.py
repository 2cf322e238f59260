"""The observations of HCLA's tables: precision and F1 at levels of recall, and the harvest rate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.engine.evaluation.precision_recall import LEVELS, f1
from apps.papers.tables.observed import Quantity

_PER_CENT = tuple(round(100 * level) for level in LEVELS)
HARVEST = Quantity("harvest", "Mean harvest rate of a crawl")
LEVEL_QUANTITIES = (
    *(Quantity(f"precision_{at}", f"Precision at recall {at / 100:g}") for at in _PER_CENT),
    *(Quantity(f"f1_{at}", f"F1 at recall {at / 100:g}") for at in _PER_CENT),
    HARVEST,
)


def level_values(precision: Sequence[float]) -> Iterator[tuple[str, float]]:
    """Each quantity with its value, given the precisions at the levels; nothing without any."""
    for at, level, value in zip(_PER_CENT, LEVELS, precision, strict=True) if precision else ():
        yield f"precision_{at}", value
        yield f"f1_{at}", f1(value, level)

"""The difference between two crawlers, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.evaluation.measure import Measure
from apps.experiments.results.paired_tests import Test
from apps.figures.quantities import NOTHING, THIN, signed

_DECIMALS = {"share": 1, "count": 1}


@dataclass(frozen=True, slots=True)
class _ChangeScale:
    """How differences are written: multiplied by `factor`, with so many decimals (None: as per cent
    have), a unit, and the words for more and less."""

    factor: float
    decimals: int | None
    unit: str
    words: tuple[str, str] = ("higher", "lower")

    def sizes(self, *differences: float) -> list[str]:
        """Differences without their signs, one below another with the same decimals."""
        return [
            f"{abs(self.factor * each):,.{self._decimals_of(differences)}f}" for each in differences
        ]

    def signed(self, *differences: float) -> list[str]:
        return [signed(self.factor * each, self._decimals_of(differences)) for each in differences]

    def _decimals_of(self, differences: Sequence[float]) -> int:
        """Whole per cent from ten on; up to two decimals more if one would be rounded to 0."""
        sizes = [abs(self.factor * each) for each in differences]
        decimals = (0 if max(sizes) >= 9.95 else 1) if self.decimals is None else self.decimals
        more = (
            each
            for each in range(3)
            if all(size >= 0.5 / 10 ** (decimals + each) for size in sizes if size)
        )
        return decimals + next(more, 2)


def _absolute(measure: type[Measure]) -> _ChangeScale:
    factor, unit = (100, " points") if measure.unit == "share" else (1, "")
    return _ChangeScale(factor, _DECIMALS.get(measure.unit, 2), unit)


def _scale(test: Test) -> _ChangeScale:
    if relative(test):
        return _ChangeScale(100 / test.base_mean, None, f"{THIN}%", ("more", "fewer"))
    return _absolute(test.measure)


def relative(test: Test) -> bool:
    """Whether its difference is given as a share of the baseline's mean."""
    return bool(test.measure.things) and test.base_mean > 0


def change(test: Test) -> str:
    """`23 % more`, `2.4 points lower`, `as many`."""
    return changes([test])


def changes(tests: Sequence[Test]) -> str:
    """`6.2–7.1 % more`: the differences of several crawlers from one baseline, of one sign."""
    ranked = sorted((test.difference for test in tests), key=abs)
    scale = _scale(tests[0])
    if not ranked[-1]:
        return "as many" if relative(tests[0]) else "the same"
    least, most = scale.sizes(ranked[0], ranked[-1])
    word = scale.words[0] if ranked[-1] > 0 else scale.words[1]
    if not float(most.replace(",", "")):
        return f"less than {most[:-1]}1{scale.unit} {word}"
    return f"{most if least == most else f'{least}–{most}'}{scale.unit} {word}"


def interval(test: Test) -> str:
    """The interval of `change`: `15–31 %`, or `−5 to +29 %` if it holds both signs; empty if there
    is none."""
    if test.interval is None:
        return ""
    low, high = test.interval
    scale = _scale(test)
    if low <= 0 <= high:
        return f"{' to '.join(scale.signed(low, high))}{scale.unit}"
    return f"{'–'.join(scale.sizes(*sorted((low, high), key=abs)))}{scale.unit}"


def difference(measure: type[Measure], value: float | None) -> str:
    """`+9.1`: a difference with its sign, of shares in percentage points."""
    if value is None:
        return NOTHING
    scale = _absolute(measure)
    return signed(scale.factor * value, scale.decimals or 0)


def distance(measure: type[Measure], value: float) -> str:
    """`4.0 points`: the size of a difference with its unit."""
    scale = _absolute(measure)
    return f"{scale.sizes(value)[0]}{scale.unit}"

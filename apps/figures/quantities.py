"""Numbers for people: with a unit, and a dash if unknown."""

from __future__ import annotations

from collections.abc import Sequence

NOTHING = "–"
MINUS = "−"
THIN = "\u202f"


def count(value: float | None) -> str:
    """6412 → 6,412."""
    return NOTHING if value is None else f"{int(value):,}"


def share(value: float | None) -> str:
    """0.6234 → 62 %; one decimal below ten per cent, none for 0 and 100 %."""
    if value is None:
        return NOTHING
    per_cent = 100 * value
    decimals = 1 if 0 < per_cent < 9.95 else 0
    return f"{per_cent:.{decimals}f}{THIN}%"


def comparison(value: float, against: float) -> str:
    """`23 % more`, `31 % fewer`, `as many`; compared with 0 the number itself."""
    if value == against:
        return "as many"
    if not against:
        return count(value)
    return f"{share(abs(value / against - 1))} {'more' if value > against else 'fewer'}"


def score(value: float | None) -> str:
    """0.4871 → 0.49."""
    return NOTHING if value is None else f"{value:.2f}"


def probability(value: float | None) -> str:
    """A p-value: 0.0412 → 0.041, 2e-9 → < 0.001."""
    if value is None:
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def p_value(value: float | None) -> str:
    """`p = 0.041`, `p < 0.001`."""
    text = probability(value)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def priority(value: float | None) -> str:
    """0.88987 → 0.890."""
    return NOTHING if value is None else f"{value:.3f}"


def speed(value: float | None) -> str:
    """Pages a second: two decimals below 1, one below 100."""
    if value is None:
        return NOTHING
    decimals = 0 if value == 0 or value >= 99.95 else 1 if value >= 0.95 else 2
    return f"{value:,.{decimals}f}"


def duration(seconds: float | None) -> str:
    """1105 → 18 min 25 s; without seconds from an hour on."""
    if seconds is None:
        return NOTHING
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    if minutes:
        return f"{minutes} min {rest} s"
    return f"{rest} s"


def roughly(seconds: float | None) -> str:
    """An estimated time, rounded to its accuracy: 612 → 10 min."""
    if seconds is None:
        return NOTHING
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def address(url: str) -> str:
    """A URL for a list: without its scheme and a lone closing slash."""
    bare = url.removeprefix("https://").removeprefix("http://")
    return bare[:-1] if bare.count("/") == 1 and bare.endswith("/") else bare


def number_of(number: int, noun: str, ending: str = "s") -> str:
    """`1 page`, `1,200 pages`, `2 addresses` with the ending `es`."""
    return f"{number:,} {noun}{'' if number == 1 else ending}"


def signed(value: float, decimals: int) -> str:
    """9.13 → +9.1, with a minus sign; no sign for 0."""
    number = f"{value:+,.{decimals}f}"
    return number.replace("-", MINUS) if float(number.replace(",", "")) else number[1:]


def range_words(amounts: Sequence[str]) -> str:
    """`2 min to 6 min` of amounts in order; one amount where both ends read the same, none of
    none."""
    return " to ".join(dict.fromkeys((amounts[0], amounts[-1]))) if amounts else ""


def join_names(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`; with semicolons if a name has a comma itself."""
    *first, last = names
    comma = "; " if any("," in name for name in names) else ", "
    return f"{comma.join(first)} and {last}" if first else last

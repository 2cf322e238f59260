"""What of a text passes by itself: dates and times, counters, and numbers of sessions.

A text is read as words, of which some are passing values. Two texts whose words are alike but for
such values differ in nothing, unless a value shows a change of its own: a day that has moved and
does not follow the clock, or a figure that nothing counts up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache, lru_cache

from apps.engine.parsing.calendar_days import calendar_day

LANGUAGES = (
    "en de fr es it nl pt pl sv da nb fi cs sk sl hr hu ro ru uk bg el tr ca lt lv et".split()
)
"""Whose names of months and days are read."""
SLACK = timedelta(days=1, hours=14)
"""Between a day as written somewhere on Earth and a moment, and a day of delay."""

_AGO = re.compile(
    r"(?i)(?:(?<!\w)(?:an?|one|\d+)\s+(?:second|minute|hour|day|week|month|year)s?\s+ago"
    r"|(?<!\w)(?:just now|yesterday|gestern|vorgestern|hier|ayer|ieri)(?!\w)"
    r"|(?<!\w)vor\s+(?:\d+|einer?|einem)\s+(?:Sekunden?|Minuten?|Stunden?|Tag(?:en)?|Wochen?"
    r"|Monat(?:en)?|Jahr(?:en)?)|(?<!\w)il y a\s+\d+\s+\w+|(?<!\w)hace\s+\d+\s+\w+"
    # The lookbehinds, and the bound of the lookaheads below, keep a long run of signs linear.
    r"|(?<!\d)\d+\s+\w+\s+fa(?!\w)|(?<!\d)\d+\s*(?:秒|分|分钟|小时|時間|时间|天|日|週|周|か月|个月|年)前)"
)
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*(?:[ap]\.?m\.?|Uhr|UTC|GMT|Z))?"
_ISO = r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
_NUMERIC = r"(\d{1,2})(?P<sign>[./-])(\d{1,2})(?P=sign)(\d{4}|\d{2})(?!\d)"
_IDEOGRAPHIC = r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]"
_SESSION = re.compile(
    r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?=[\w-]{0,64}\d)(?=[\w-]{0,64}[a-z])(?:[0-9a-f]{8,}|[\w-]{16,})(?!\w)|\d{12,}|(?<!\d)1[6-9]\d{8}(?!\d)"
    r"|(?<=token[ =:])\s?[\w-]*\d[\w-]*|(?<=session[ =:])\s?[\w-]*\d[\w-]*"
    r"|(?<=sid[=:])[\w-]*\d[\w-]*|(?<=nonce[ =:])\s?[\w-]*\d[\w-]*"
    r"|(?<=csrf[ =:])\s?[\w-]*\d[\w-]*"
)
_LETTERS = (
    # Scripts without spaces between words, of which each letter counts as one.
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003134f]"
)
_FIGURE = re.compile(rf"(?<!(?!{_LETTERS})\w)[-−+]?\d+(?:[.,'’\u00a0\u202f]\d+)*")
_WORD = re.compile(rf"{_LETTERS}|(?:(?!{_LETTERS})\S)+|\s+")


class Noise(StrEnum):
    """Why a difference is none."""

    DATE = "date"
    COUNTER = "counter"
    SESSION = "session"
    MENU = "menu"
    ADVERTISEMENT = "advertisement"
    COOKIES = "cookies"
    TAUGHT = "taught"


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word as written, blanks included; `key` is what is compared, empty for blanks and signs. Of
    a passing value it is the value's kind, and `day` the day that a date names in full."""

    text: str
    key: str
    value: str = ""
    day: date | None = None

    @property
    def is_figure(self) -> bool:
        """Whether it is a date or a number, of the kinds that people look for."""
        return self.value in ("date", "figure")


@dataclass(frozen=True, slots=True)
class VisitTimes:
    """The moments of two visits, by which days that move with them are recognised."""

    before: datetime
    after: datetime

    def is_followed_by(self, before: date, after: date) -> bool:
        """Whether a day that became another one moved with the visits."""
        last, first = (self.after + SLACK).date(), (self.before - SLACK).date()
        if after > last:
            return False  # a date to come is nobody's clock
        passed, moved = self.after - self.before, timedelta(days=(after - before).days)
        is_of_another_year = abs(moved - passed) <= SLACK and bool(moved)
        return is_of_another_year or (after >= first and before <= (self.before + SLACK).date())


@cache
def _month_names() -> dict[str, int]:
    from babel.dates import get_month_names

    return {
        name.casefold().strip("."): number
        for language in LANGUAGES
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number, name in get_month_names(width, context, language).items()
        if len(name) > 2
    }


@cache
def _day_names() -> frozenset[str]:
    from babel.dates import get_day_names

    return frozenset(
        name.casefold().strip(".")
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for name in get_day_names(width, "format", language).values()
        if len(name) > 2
    )


_NEVER = r"(?!)"
_LETTERS_OF_WORD = re.compile(r"[^\W\d_]{3,}")


def _dates(text: str) -> re.Pattern[str]:
    """What matches the dates and times of a text, by the names of months and days in it."""
    words = {word.casefold() for word in _LETTERS_OF_WORD.findall(text)}
    return _dates_with(
        frozenset(name for name in words if name in _month_names()),
        frozenset(name for name in words if name in _day_names()),
    )


@lru_cache(maxsize=500)
def _dates_with(months: frozenset[str], days: frozenset[str]) -> re.Pattern[str]:
    month = rf"(?:{_any_of(months)})\.?(?!\w)"
    day = rf"(?<!\w)(?:{_any_of(days)})(?!\w)"
    named = (
        rf"(?:\d{{1,2}}(?:\.|st|nd|rd|th|er|º)?\s+(?:de\s+|of\s+)?{month}"
        rf"|(?<!\w){month}\s+\d{{1,2}}(?:st|nd|rd|th)?(?!\d|[.,]\d))(?:,?\s+(?:de\s+)?\d{{4}})?"
        rf"|(?<!\w){month}\s+\d{{4}}"
    )
    clock = rf"(?:[T,]?\s*(?:at|um|à|a las|alle|kl\.?|om)?\s*{_CLOCK})?(?:[+-]\d{{2}}:?\d{{2}})?"
    week = rf"(?:{day}\.?,?\s+(?:den\s+|le\s+|the\s+)?)?"
    return re.compile(
        rf"(?i){week}(?<!\w)(?<!\d[.,])(?:{_ISO}|{_NUMERIC}|{named}){clock}(?!\w)"
        rf"|{_IDEOGRAPHIC}|(?<!\w){_CLOCK}(?!\w)|{day}"
    )


def _any_of(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or _NEVER


def read_words(text: str) -> tuple[ReadWord, ...]:
    """The words of a text with its passing values, which may be several words long."""
    read: list[ReadWord] = []
    at = 0
    for begin, end, value in _values(text):
        read.extend(_plain(text[at:begin]))
        piece = text[begin:end]
        read.append(
            ReadWord(piece, f"\0{value}", value, day_in(piece) if value == "date" else None)
        )
        at = end
    read.extend(_plain(text[at:]))
    return tuple(read)


def _values(text: str) -> list[tuple[int, int, str]]:
    """Where the passing values are, the widest first where they overlap."""
    values: list[tuple[int, int, str]] = []
    taken = bytearray(len(text))
    for pattern, value in (
        (_AGO, "ago"),
        (_dates(text), "date"),
        (_SESSION, "session"),
        (_FIGURE, "figure"),
    ):
        for match in pattern.finditer(text):
            begin, end = match.span()
            if not any(taken[begin:end]):
                taken[begin:end] = b"\1" * (end - begin)
                values.append((begin, end, value))
    return sorted(values)


def _plain(text: str) -> list[ReadWord]:
    return [ReadWord(piece, _key(piece)) for piece in _WORD.findall(text)]


def word_number(text: str) -> int:
    """How many words a text has; of scripts without spaces, letters."""
    return sum(not piece.isspace() for piece in _WORD.findall(text))


@cache
def _ignored(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "PZC" or letter in "|<>^`~"


def _key(piece: str) -> str:
    """A word without the marks around it, whatever its case and the form of its letters."""
    text = unicodedata.normalize("NFKC", piece).casefold()
    begin, end = 0, len(text)
    while begin < end and _ignored(text[begin]):
        begin += 1
    while begin < end and _ignored(text[end - 1]):
        end -= 1
    return text[begin:end]


def day_in(text: str, year_of: date | None = None) -> date | None:
    """The day that a date names, the year of a day where it has none itself; None if it names no
    month."""
    if match := re.search(_ISO, text) or re.search(_IDEOGRAPHIC, text):
        return calendar_day(*map(int, match.groups()))
    if match := re.search(_NUMERIC, text):
        return _numeric_day(int(match[1]), int(match[3]), int(match[4]), match["sign"])
    numbers = [int(number) for number in re.findall(r"\d+", re.sub(_CLOCK, "", text))]
    months = [_month_names().get(word.casefold()) for word in re.findall(r"[^\W\d_]+", text)]
    month = next(filter(None, months), None)
    year = next((number for number in numbers if number > 31), None)
    day = next((number for number in numbers if number <= 31), None)
    if year is None and year_of is not None and day is not None:
        year = year_of.year
    return calendar_day(year, month, day or 1) if year and month else None


def _numeric_day(first: int, second: int, year: int, sign: str) -> date | None:
    """`3.4.2026` has the day first, `4/3/2026` the month, if it can be one."""
    year += 2000 if year < 100 else 0
    day_first, month_first = calendar_day(year, second, first), calendar_day(year, first, second)
    return (month_first or day_first) if sign == "/" else (day_first or month_first)


def keyed(words: Sequence[ReadWord]) -> list[ReadWord]:
    """The words that are compared."""
    return [word for word in words if word.key]

"""Moments as web archives and other programs write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_MOMENT = re.compile(
    r"(?P<year>\d{4})(?:-?(?P<month>\d\d)(?:-?(?P<day>\d\d)"
    r"(?:[T ]?(?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?P<part>\.\d+)?)?)?)?)?"
    r"\s*(?:Z|UTC|(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d))?"
)


def unix_seconds(text: str) -> float:
    """The moment in Unix seconds, 0 if the text is none.

    Reads ISO 8601 down from the year alone, with any number of decimals, and the fourteen digits of
    web archives; without a zone it is UTC.
    """
    match = _MOMENT.fullmatch(text.strip())
    if match is None:
        return 0.0
    fields = match.groupdict()
    year, month, day = (int(fields[name] or 1) for name in ("year", "month", "day"))
    hour, minute, second = (int(fields[name] or 0) for name in ("hour", "minute", "second"))
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return 0.0
    zone = timedelta(hours=int(fields["hours"] or 0), minutes=int(fields["minutes"] or 0))
    seconds = (moment - zone if fields["sign"] == "+" else moment + zone).timestamp()
    return max(0.0, seconds + float(fields["part"] or 0))

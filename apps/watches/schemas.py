"""The settings of a watch: one schema for the screen, the API and the commands."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Annotated
from zoneinfo import ZoneInfo

from croniter import croniter
from pydantic import AfterValidator, Field

from apps.schemas.input import Input, accepts
from apps.schemas.one_of import OneOf
from apps.watches.models import Watch

MOST_HOURS = 24 * 31
MOST_REQUESTS = 100_000
MOST_BYTES = 10**15
CRON_FIELDS = 5
FIRST_YEAR, LAST_YEAR = 2000, 2200


def _cron(text: str) -> str:
    if text and not (len(text.split()) == CRON_FIELDS and croniter.is_valid(text)):
        raise ValueError("a cron expression")
    if text:
        # A day that no year has, such as 30 February, is an error, which is a ValueError.
        croniter(text, datetime.now(UTC)).get_next(datetime)
    return text


def _moment(moment: datetime | None) -> datetime | None:
    if moment and (moment.tzinfo is None or not FIRST_YEAR <= moment.year <= LAST_YEAR):
        raise ValueError("a moment")
    return moment


def _time_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError("a time zone") from None
    return name


Moment = Annotated[
    datetime | None,
    Field(strict=False),
    AfterValidator(_moment),
    accepts("a moment with its time zone, such as `2026-11-25T08:00+01:00`"),
]


class WatchSettings(Input):
    """All settings of a watch. `hours` counts with the rhythm `hours`, `cron` with `cron`; quiet
    hours and the cron expression are in `time_zone`."""

    rhythm: Annotated[str, OneOf(Watch.Rhythm.values)] = Watch.Rhythm.ADAPTIVE.value
    hours: Annotated[int, Field(ge=1, le=MOST_HOURS)] = 24
    cron: Annotated[
        str,
        Field(max_length=100),
        AfterValidator(_cron),
        accepts("a cron expression of five fields, such as `30 6 * * 1-5`"),
    ] = ""
    time_zone: Annotated[
        str, AfterValidator(_time_zone), accepts("a time zone, such as `Europe/London`")
    ] = "UTC"
    requests: Annotated[int, Field(ge=5, le=MOST_REQUESTS)] = 200
    quiet_from: Annotated[time | None, Field(strict=False)] = None
    quiet_until: Annotated[time | None, Field(strict=False)] = None
    starts_at: Moment = None
    ends_at: Moment = None
    versions: Annotated[int, Field(ge=2, le=1_000)] = 20
    most_bytes: Annotated[int | None, Field(ge=1_000_000, le=MOST_BYTES)] = None

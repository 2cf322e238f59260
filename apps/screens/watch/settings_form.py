"""The settings of a watch as a form."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any

from django import forms
from django.utils import timezone

from apps.schemas.refused import Refused
from apps.screens.schema_fields import text, whole
from apps.watches.models import Watch
from apps.watches.schemas import WatchSettings

RHYTHMS = (
    (Watch.Rhythm.ADAPTIVE, "adaptive: each page by how often it has changed"),
    (Watch.Rhythm.HOURS, "every so many hours"),
    (Watch.Rhythm.CRON, "a cron expression"),
)
_MOMENT, _TIME = "%Y-%m-%dT%H:%M", "%H:%M"


def _moment(label: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput({"type": "datetime-local"}, format=_MOMENT)
    return forms.DateTimeField(
        label=label,
        required=False,
        widget=widget,
        input_formats=[_MOMENT, "%Y-%m-%dT%H:%M:%S"],
        error_messages={"invalid": "Give a day and a time, such as 2026-11-25T08:00."},
    )


def _hour(label: str) -> forms.TimeField:
    return forms.TimeField(
        label=label,
        required=False,
        widget=forms.TimeInput({"type": "time"}, format=_TIME),
        error_messages={"invalid": "Give a time of day, such as 07:00."},
    )


class WatchForm(forms.Form):
    """Every setting; what the schema refuses stands at its field."""

    rhythm = forms.ChoiceField(choices=RHYTHMS, widget=forms.RadioSelect, label="Rhythm")
    hours = whole(WatchSettings, "hours", label="Interval in hours")
    cron = text(WatchSettings, "cron", label="Cron expression")
    time_zone = text(WatchSettings, "time_zone", label="Time zone of these times")
    requests = whole(WatchSettings, "requests", label="Limit of requests a visit")
    quiet_from = _hour("Begin of quiet hours")
    quiet_until = _hour("End of quiet hours")
    starts_at = _moment("Start")
    ends_at = _moment("End")
    versions = whole(WatchSettings, "versions", label="Limit of versions of a page")
    most_bytes = whole(WatchSettings, "most_bytes", label="Limit of bytes of text")

    def values(self) -> dict[str, Any]:
        """The arguments for `services`, after `is_valid`; an empty field has its default."""
        defaults = WatchSettings().model_dump()
        return {
            name: defaults[name] if value in ("", None) else value
            for name, value in self.cleaned_data.items()
        }

    def refuse(self, refused: Refused) -> None:
        """Shows a refusal at its field."""
        name = refused.field.partition(".")[0]
        self.add_error(name if name in self.fields else None, refused.message)


def form_of(watch: Watch | None) -> WatchForm:
    """The form with the settings of a watch, or with those that a new one has."""
    if watch is None:
        zone = timezone.get_current_timezone_name()
        return WatchForm(initial={**WatchSettings().model_dump(), "time_zone": zone})
    values = {name: getattr(watch, name) for name in WatchSettings.model_fields}
    return WatchForm(initial={name: _typed(value) for name, value in values.items()})


def _typed(value: Any) -> Any:
    """A setting as a person types it, so that it can be compared with what was."""
    if isinstance(value, datetime):
        return timezone.localtime(value).strftime(_MOMENT)
    return value.strftime(_TIME) if isinstance(value, time) else value

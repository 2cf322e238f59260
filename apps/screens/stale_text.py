"""A text that was changed elsewhere since it was shown is not replaced unseen."""

from __future__ import annotations

from collections.abc import Mapping

from apps.schemas.refused import Refused

WAS = "was"
"""The field with the text that was shown."""
SHOWN = 200


class ChangedMeanwhile(Refused):
    """The stored text is another than the one that was shown; `present` is the stored one."""

    def __init__(self, field: str, present: str) -> None:
        words = f"now it is “{present[:SHOWN]}”" if present else "now it is empty"
        super().__init__(
            field,
            f"The {field} was changed elsewhere meanwhile: {words}. Save again to replace it.",
        )
        self.present = present


def refuse_stale(sent: Mapping[str, str], field: str, present: str) -> None:
    """Raises ChangedMeanwhile if what was sent names another text than the present one."""
    was = sent.get(WAS)
    if was is not None and _plain(was) != _plain(present):
        raise ChangedMeanwhile(field, present)


def _plain(text: str) -> str:
    return "\n".join(text.split())

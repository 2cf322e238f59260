"""How much one account may keep, by the settings."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Model, QuerySet

from apps.schemas.refused import Refused


@dataclass(frozen=True, slots=True)
class Quota:
    """The most rows of a kind, `things`, that one account may have; `setting` names the number,
    and `remedy` is what its owner can do."""

    setting: str
    things: str
    remedy: str

    @property
    def most(self) -> int:
        return int(getattr(settings, self.setting))

    def check(self, rows: QuerySet[Model], adding: int, refusal: type[Refused], field: str) -> None:
        """Raises the refusal at the field if that many more would be too many."""
        if rows.count() + adding > self.most:
            raise refusal(
                field,
                f"An account may have {self.most:,} {self.things} here. {self.remedy}, or ask an"
                f" administrator to raise CRAWLSITE_{self.setting}.",
            )


TOPICS = Quota("MOST_TOPICS", "topics", "Delete some of yours")
CRAWLS = Quota("MOST_CRAWLS", "crawls", "Delete some of yours")
UPLOADS = Quota("MOST_UPLOADS", "files that wait to be read", "Wait until they are")

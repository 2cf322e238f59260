"""The value of labels on a web, as it is saved."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import Field

from apps.research.effectiveness.saved_result import SavedResult, in_lines
from apps.schemas.input import Input

Repeats = Annotated[int, Field(ge=1, le=100)]
Means = Annotated[tuple[float, ...], Field(strict=False)]


class Setting(Input):
    """When how many labels are given; `positives` are those left of the topic's examples, whose
    negatives are then drawn from its background (None: all of both)."""

    at: int
    labels: int
    positives: int | None = None


class ArmResult(Input):
    """The counts of one arm for each topic, as means over repetitions: all targets fetched, those
    after the labels (`after`), and positive labels."""

    targets: Means
    after: Means
    positives: Means


class SettingResult(Input):
    """All arms of a setting, by name."""

    setting: Setting
    arms: dict[str, ArmResult] = {}


class LabelResult(SavedResult):
    """All settings on the same topics of one web, by name, each crawl run `repeats` times."""

    room = "labels"
    results_field = "settings"
    topics: Annotated[tuple[str, ...], Field(strict=False)]
    repeats: Repeats = 1
    settings: dict[str, SettingResult] = {}

    def has(self, setting: str, arm: str) -> bool:
        return setting in self.settings and arm in self.settings[setting].arms

    def with_arm(self, name: str, setting: Setting, arm: str, result: ArmResult) -> LabelResult:
        """A copy with one arm more."""
        before = self.settings.get(name, SettingResult(setting=setting))
        after = before.model_copy(update={"arms": {**before.arms, arm: result}})
        return self.model_copy(update={"settings": {**self.settings, name: after}})

    def _lines(self, settings: dict[str, Any]) -> str:
        each = ",\n".join(
            f'  {json.dumps(name)}: {{"setting": {json.dumps(setting["setting"])},'
            f' "arms": {in_lines(setting["arms"], 4)}}}'
            for name, setting in settings.items()
        )
        return f"{{\n{each}\n }}"

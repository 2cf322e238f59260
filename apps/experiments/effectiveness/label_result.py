"""What labels were worth on a web, as it is saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from apps.experiments.effectiveness.result import FORMAT
from apps.schemas.input import Input, Refused
from apps.schemas.json_text import read_file

FOLDER = "labels"
CEILING_FOLDER = "ceiling"


class Setting(Input):
    """When how many labels are given; `positives` are those left of the topic's examples, whose
    negatives are then drawn from its background (None: all of both)."""

    at: int
    labels: int
    positives: int | None = None


class Labelled(Input):
    """What one arm found of each topic: targets in all (`found`), those after the labels
    (`after`), and how many labels said yes."""

    found: Annotated[tuple[int, ...], Field(strict=False)]
    after: Annotated[tuple[int, ...], Field(strict=False)]
    positives: Annotated[tuple[int, ...], Field(strict=False)]


class SettingResult(Input):
    """All arms of a setting, by name."""

    setting: Setting
    arms: dict[str, Labelled] = {}


class LabelResult(Input):
    """All settings on the same topics of one web, by name. `command` runs it again."""

    format: Literal[1] = FORMAT
    web: str
    command: str
    pages: int
    topics: Annotated[tuple[str, ...], Field(strict=False)]
    settings: dict[str, SettingResult] = {}

    def has(self, setting: str, arm: str) -> bool:
        return setting in self.settings and arm in self.settings[setting].arms

    def with_arm(self, name: str, setting: Setting, arm: str, found: Labelled) -> LabelResult:
        """The same with one arm more."""
        before = self.settings.get(name, SettingResult(setting=setting))
        after = before.model_copy(update={"arms": {**before.arms, arm: found}})
        return self.model_copy(update={"settings": {**self.settings, name: after}})


def label_path(folder: Path, web: str) -> Path:
    return folder / FOLDER / f"{web}.json"


def save_labels(result: LabelResult, folder: Path) -> None:
    """Writes the result under its web's name, a line an arm. Raises OSError."""
    path = label_path(folder, result.web)
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = result.model_dump(mode="json")
    settings = ",\n".join(
        f"  {json.dumps(name)}: {_lines(each)}" for name, each in plain.pop("settings").items())
    head = json.dumps(plain, ensure_ascii=False)[:-1]
    path.write_text(f'{head},\n "settings": {{\n{settings}\n }}}}\n', "utf-8")


def _lines(setting: dict[str, Any]) -> str:
    arms = ",\n".join(f"    {json.dumps(name)}: {json.dumps(found)}"
                      for name, found in setting["arms"].items())
    return f'{{"setting": {json.dumps(setting["setting"])}, "arms": {{\n{arms}\n  }}}}'


def read_label_results(folder: Path, within: str = FOLDER) -> list[LabelResult]:
    """The results saved in a folder, by name; empty if there are none. Raises Refused."""
    found = []
    for path in sorted((folder / within).glob("*.json")):
        try:
            found.append(LabelResult.read(read_file(path)))
        except Refused as refused:
            raise Refused(f"{path.name}: {refused.field}", refused.message) from None
    return found

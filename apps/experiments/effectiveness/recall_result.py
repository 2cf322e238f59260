"""What estimated recall said on a web and what was true, as it is saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from apps.experiments.effectiveness.result import FORMAT
from apps.schemas.input import Input, Refused
from apps.schemas.json_text import read_file

FOLDER = "recall"


class Reading(Input):
    """What was said at a moment: the ends of the interval, the share between them, and how many
    relevant pages the next thousand requests should add."""

    low: float
    share: float
    high: float
    soon: float


class Moment(Input):
    """After `at` requests beside the seeds: how many reachable relevant pages were `found`, how
    many the next thousand requests `added` (None: the crawl was ended before), and what was said,
    by who says what is relevant."""

    at: int
    found: int
    added: int | None
    said: dict[str, Reading]


class ReadTopic(Input):
    """A crawl for a topic of which so many relevant pages, beside the seeds, are `reachable`."""

    topic: str
    reachable: int
    moments: Annotated[tuple[Moment, ...], Field(strict=False)]


class RecallResult(Input):
    """All topics of one web. `command` runs it again."""

    format: Literal[1] = FORMAT
    web: str
    command: str
    pages: int
    topics: Annotated[tuple[ReadTopic, ...], Field(strict=False)] = ()

    def with_topic(self, topic: ReadTopic) -> RecallResult:
        """The same with one topic more."""
        return self.model_copy(update={"topics": (*self.topics, topic)})


def recall_path(folder: Path, web: str) -> Path:
    return folder / FOLDER / f"{web}.json"


def save_recall(result: RecallResult, folder: Path) -> None:
    """Writes the result under its web's name, a line a topic. Raises OSError."""
    path = recall_path(folder, result.web)
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = result.model_dump(mode="json")
    topics = ",\n".join(f"  {json.dumps(each)}" for each in plain.pop("topics"))
    head = json.dumps(plain, ensure_ascii=False)[:-1]
    path.write_text(f'{head},\n "topics": [\n{topics}\n ]}}\n', "utf-8")


def read_recall_results(folder: Path) -> list[RecallResult]:
    """The results saved in a folder, by name; empty if there are none. Raises Refused."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            found.append(RecallResult.read(read_file(path)))
        except Refused as refused:
            raise Refused(f"{path.name}: {refused.field}", refused.message) from None
    return found

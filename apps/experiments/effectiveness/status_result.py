"""What crawlers found of status and topicality on a web, as it is saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from apps.experiments.effectiveness.result import DIGITS, FORMAT
from apps.schemas.input import Input, Refused
from apps.schemas.json_text import read_file

FOLDER = "status"


class StatusFound(Input):
    """Of each topic, over the pages that links led to: the share that has its label (`harvest`),
    and the mean ln(1 + in-links) (`status`)."""

    strategy: str
    harvest: Annotated[tuple[float, ...], Field(strict=False)]
    status: Annotated[tuple[float, ...], Field(strict=False)]


class StatusResult(Input):
    """All crawlers on the same topics of one web, by name. `command` runs it again.

    `locality` is Spearman's correlation of the in-links of pages one link apart, None if they do
    not vary; `mean_status` is the mean ln(1 + in-links) of all pages of the web.
    """

    format: Literal[1] = FORMAT
    web: str
    command: str
    pages: int
    topics: Annotated[tuple[str, ...], Field(strict=False)]
    locality: float | None
    mean_status: float
    crawlers: dict[str, StatusFound] = {}

    def but_crawlers(self) -> StatusResult:
        """The same without what was found."""
        return self.model_copy(update={"crawlers": {}, "command": ""})

    def with_crawler(self, name: str, found: StatusFound) -> StatusResult:
        """The same with one crawler more, its figures rounded as they are saved."""
        rounded = found.model_copy(update={
            "harvest": tuple(round(value, DIGITS) for value in found.harvest),
            "status": tuple(round(value, DIGITS) for value in found.status),
        })
        return self.model_copy(update={"crawlers": {**self.crawlers, name: rounded}})


def status_path(folder: Path, web: str) -> Path:
    return folder / FOLDER / f"{web}.json"


def save_status(result: StatusResult, folder: Path) -> None:
    """Writes the result under its web's name, a line a crawler. Raises OSError."""
    path = status_path(folder, result.web)
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = result.model_dump(mode="json")
    crawlers = ",\n".join(f"  {json.dumps(name, ensure_ascii=False)}: {json.dumps(each)}"
                          for name, each in plain.pop("crawlers").items())
    head = json.dumps(plain, ensure_ascii=False)[:-1]
    path.write_text(f'{head},\n "crawlers": {{\n{crawlers}\n }}}}\n', "utf-8")


def read_status_results(folder: Path) -> list[StatusResult]:
    """The results saved in a folder, by name; empty if there are none. Raises Refused."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            found.append(StatusResult.read(read_file(path)))
        except Refused as refused:
            raise Refused(f"{path.name}: {refused.field}", refused.message) from None
    return found

"""What a study found on a web, as it is saved."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from apps.engine.model import Floats
from apps.schemas.input import Input, Refused
from apps.schemas.json_text import read_file

FORMAT = 1
DIGITS = 4
Kind = Literal["bound", "strategy", "candidate", "ablation"]


class Found(Input):
    """A crawler's recall of the targets of each topic. A `bound` sees labels."""

    kind: Kind
    strategy: str
    recall: Annotated[tuple[float, ...], Field(strict=False)]

    @property
    def values(self) -> Floats:
        return np.array(self.recall)


class WebResult(Input):
    """All crawlers on the same topics of one web, by name. `command` runs it again."""

    format: Literal[1] = FORMAT
    web: str
    command: str
    pages: int
    topics: Annotated[tuple[str, ...], Field(strict=False)]
    targets: Annotated[tuple[int, ...], Field(strict=False)]
    crawlers: dict[str, Found] = {}

    def of_kind(self, kind: Kind) -> Mapping[str, Found]:
        return {name: each for name, each in self.crawlers.items() if each.kind == kind}

    def but_crawlers(self) -> WebResult:
        """The same without what was found."""
        return self.model_copy(update={"crawlers": {}, "command": ""})

    def with_crawler(
        self, name: str, kind: Kind, strategy: str, recall: Sequence[float]
    ) -> WebResult:
        """The same with one crawler more."""
        rounded = tuple(round(float(value), DIGITS) for value in recall)
        found = Found(kind=kind, strategy=strategy, recall=rounded)
        return self.model_copy(update={"crawlers": {**self.crawlers, name: found}})


def path_of(folder: Path, web: str) -> Path:
    return folder / f"{web}.json"


def save(result: WebResult, folder: Path) -> None:
    """Writes the result under its web's name. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = result.model_dump(mode="json")
    crawlers = ",\n".join(f"  {json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}"
                          for name, each in plain.pop("crawlers").items())
    head = json.dumps(plain, ensure_ascii=False)[:-1]
    text = f'{head},\n "crawlers": {{\n{crawlers}\n }}}}\n'
    path_of(folder, result.web).write_text(text, "utf-8")


def read_results(folder: Path) -> list[WebResult]:
    """The results saved in a folder, by name. Raises Refused, with the file's name."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(WebResult.read(read_file(path)))
        except Refused as refused:
            raise Refused(f"{path.name}: {refused.field}", refused.message) from None
    if not found:
        raise Refused("from", f"There is no saved result in {folder}.")
    return found

"""The results of a study of one web, in a file of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, Self

from apps.schemas.input import Input
from apps.schemas.json_text import read_file
from apps.schemas.refused import Refused

FORMAT: Final = 2
DIGITS = 4


class SavedResult(Input):
    """A study of one web. `command` runs it again; `results_field` is the field of the results, and
    `room` the folder, within that of all results, that has the files of such studies."""

    format: Literal[2] = FORMAT
    web: str
    command: str
    pages: int

    room: ClassVar[str] = ""
    results_field: ClassVar[str]

    @classmethod
    def path(cls, folder: Path, web: str) -> Path:
        return folder / cls.room / f"{web}.json"

    def save(self, folder: Path) -> None:
        """Writes the result under its web's name, a line per item. Raises OSError."""
        path = self.path(folder, self.web)
        path.parent.mkdir(parents=True, exist_ok=True)
        plain = self.model_dump(mode="json")
        results = self._lines(plain.pop(self.results_field))
        head = _json(plain)[:-1]
        path.write_text(f"{head},\n {_json(self.results_field)}: {results}}}\n", "utf-8")

    def _lines(self, results: Any) -> str:
        """The results as JSON, in lines."""
        return in_lines(results)

    @classmethod
    def read_all(cls, folder: Path) -> list[Self]:
        """The results saved in a folder, by name. Raises Refused, with the file's name."""
        return list(cls._read_each(folder / cls.room))

    @classmethod
    def _read_each(cls, room: Path) -> Iterator[Self]:
        for path in sorted(room.glob("*.json")):
            try:
                yield cls.read(read_file(path))
            except Refused as refused:
                raise Refused(f"{path.name}: {refused.field}", refused.message) from None

    def resume(self, folder: Path) -> Self:
        """The result saved already, to go on with; else this one, which is empty.

        Raises Refused if what is saved is of other topics or another number of pages.
        """
        path = self.path(folder, self.web)
        if not path.exists():
            return self
        saved = self.read(read_file(path))
        if saved._without_results() != self._without_results():
            raise other_topics(path)
        return saved

    def _without_results(self) -> Self:
        """The study without its results."""
        nothing = type(self).model_fields[self.results_field].default
        return self.model_copy(update={self.results_field: nothing, "command": ""})


def other_topics(path: Path) -> Refused:
    return Refused("save", f"{path} is of other topics: delete it, or save elsewhere.")


def in_lines(items: dict[str, Any] | list[Any], indent: int = 2) -> str:
    """JSON with a line an item."""
    if isinstance(items, dict):
        lines, ends = [f"{_json(name)}: {_json(each)}" for name, each in items.items()], "{}"
    else:
        lines, ends = [_json(each) for each in items], "[]"
    inner = ",\n".join(" " * indent + line for line in lines)
    return f"{ends[0]}\n{inner}\n{' ' * (indent - 1)}{ends[1]}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

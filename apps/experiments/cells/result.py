"""The result of a cell: every page in order and every sample, as arrays in one file.

Unknown numbers are NaN, unknown verdicts and labels −1. The file has the form of a checkpoint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.crawls.measures.estimates import shown_column
from apps.engine import checkpoint
from apps.engine.errors import BadCheckpoint
from apps.engine.events import Batch, PageRecord
from apps.engine.model import Floats, Longs

FORMAT = 1
UNKNOWN = -1
Labels = NDArray[np.int8]
FLOATS = ("priority", "topicality", "status", "status_log", "probability")
LONGS = ("request", "parent", "depth", "number", "words", "inlinks")
FLAGS = ("relevant", "label", "target", "seed", "votes", "of")


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a cell in the order they were fetched: one value each.

    `urls` are final addresses. `numbers` maps each of FLOATS to float64 and each of LONGS to int64
    (`parent` is the URL number of the page whose link gave the priority, −1 for seeds; `inlinks`
    the true count, −1 if unknown), `flags` each of FLAGS to int8, −1 if unknown.
    """

    urls: tuple[str, ...]
    numbers: Mapping[str, NDArray[Any]]
    flags: Mapping[str, Labels]

    def __len__(self) -> int:
        return len(self.urls)


@dataclass(frozen=True, slots=True)
class Samples:
    """The course of a cell.

    `at` are the numbers of pages at which samples were taken, growing, the last one at the end of
    the crawl; `values` has the value of each measure, count and telemetry name at each sample,
    float64, NaN if unknown.
    """

    at: Longs
    values: Mapping[str, Floats]

    def on(self, grid: Longs, name: str) -> Floats:
        """A measure at each of these numbers of pages: at the last sample up to there. A crawl that
        ended before keeps its last value; NaN if it is unknown."""
        if not len(self.at):
            return np.full(len(grid), np.nan)
        samples = np.searchsorted(self.at, grid, side="right") - 1
        return np.where(samples < 0, np.nan, self.column(name)[np.maximum(samples, 0)])

    def column(self, name: str) -> Floats:
        """A measure at each sample; NaN where it is unknown, and for an estimated recall with too
        wide an interval."""
        if name not in self.values:
            return np.full(len(self.at), np.nan)
        return shown_column(self.values, name)


@dataclass(frozen=True, slots=True)
class CellResult:
    """A cell's pages and samples, as `Samples` has them. `report` has the arrays that the strategy
    noted once."""

    pages: Pages
    at: Longs
    values: Mapping[str, Floats]
    report: Mapping[str, Floats] = field(default_factory=dict)

    def digest(self) -> str:
        """The SHA-256 of every number: equal for two runs exactly if they did the same."""
        hashed = hashlib.sha256()
        for name, array in sorted(_arrays(self).items()):
            hashed.update(name.encode())
            hashed.update(np.ascontiguousarray(array).tobytes())
        hashed.update("\n".join(self.pages.urls).encode())
        return hashed.hexdigest()


@dataclass(slots=True)
class Collector:
    """Gathers a cell's pages and samples, batch by batch.

    `label` and `inlinks` give the truth about a URL, None if it is unknown.
    """

    label: Callable[[str], bool | None]
    inlinks: Callable[[str], int | None]
    urls: list[str] = field(default_factory=list)
    columns: dict[str, list[float]] = field(
        default_factory=lambda: {name: [] for name in (*FLOATS, *LONGS, *FLAGS)}
    )
    at: list[int] = field(default_factory=list)
    samples: list[dict[str, float]] = field(default_factory=list)

    def add(self, batch: Batch) -> None:
        """Adds a batch; the last one of a crawl also gives the sample at its end."""
        for page in batch.pages:
            self.urls.append(page.answer.final_url)
            for name, value in self._columns_of(page):
                self.columns[name].append(value)
        for sample in batch.samples:
            self._sample(sample.pages, sample.metrics)
        if batch.finished is not None and len(self.urls) > (self.at[-1] if self.at else 0):
            self._sample(len(self.urls), batch.metrics)

    def _columns_of(self, page: PageRecord) -> Iterable[tuple[str, float]]:
        inlinks = self.inlinks(page.answer.final_url)
        yield "inlinks", UNKNOWN if inlinks is None else inlinks
        yield "label", _flag(self.label(page.answer.final_url))
        yield from _page(page)

    def _sample(self, pages: int, metrics: Mapping[str, Any]) -> None:
        self.at.append(pages)
        self.samples.append({name: _number(value) for name, value in metrics.items()})

    def result(self, report: Mapping[str, Floats] | None = None) -> CellResult:
        """The result so far, with the strategy's notes."""
        names = sorted({name for sample in self.samples for name in sample})
        return CellResult(
            Pages(
                tuple(self.urls),
                {
                    **{name: np.array(self.columns[name], np.float64) for name in FLOATS},
                    **{name: np.array(self.columns[name], np.int64) for name in LONGS},
                },
                {name: np.array(self.columns[name], np.int8) for name in FLAGS},
            ),
            np.array(self.at, np.int64),
            {
                name: np.array([sample.get(name, np.nan) for sample in self.samples], np.float64)
                for name in names
            },
            dict(report or {}),
        )

    def go_on_from(self, result: CellResult) -> None:
        """Takes up what an earlier run of the cell had gathered."""
        self.urls = [*result.pages.urls]
        self.columns = {
            name: array.tolist()
            for name, array in (*result.pages.numbers.items(), *result.pages.flags.items())
        }
        self.at = result.at.tolist()
        self.samples = [
            {name: float(values[row]) for name, values in result.values.items()}
            for row in range(len(self.at))
        ]


def _page(page: PageRecord) -> Iterable[tuple[str, float]]:
    verdict = page.verdict
    yield "request", page.request
    yield "number", page.number
    yield "parent", page.parent
    yield "depth", page.depth
    yield "words", page.words
    yield "priority", page.priority
    yield "topicality", _number(page.topicality)
    yield "status", _number(page.status)
    yield "status_log", _number(page.status_log)
    yield "probability", _number(verdict.probability if verdict else None)
    yield "relevant", _flag(verdict.relevant if verdict else None)
    yield "votes", verdict.votes if verdict else UNKNOWN
    yield "of", verdict.of if verdict else UNKNOWN
    yield "target", page.target
    yield "seed", page.seed


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)


def _flag(value: bool | None) -> int:
    return UNKNOWN if value is None else int(value)


def _arrays(result: CellResult) -> dict[str, NDArray[Any]]:
    return {
        "at": result.at,
        **{f"pages.{name}": array for name, array in result.pages.numbers.items()},
        **{f"flags.{name}": array for name, array in result.pages.flags.items()},
        **{f"values.{name}": array for name, array in result.values.items()},
        **{f"report.{name}": array for name, array in result.report.items()},
    }


def as_plain(result: CellResult) -> dict[str, Any]:
    """The result as a dictionary of arrays and texts, for a checkpoint."""
    urls = "\n".join(result.pages.urls).encode()
    return {
        "urls": np.frombuffer(urls, np.uint8),
        "numbers": dict(result.pages.numbers),
        "flags": dict(result.pages.flags),
        "report": dict(result.report),
        "samples": {"version": FORMAT, "at": result.at, **_table(result.values)},
    }


def _table(values: Mapping[str, Floats]) -> dict[str, Any]:
    """The columns as one array, which is read faster than many."""
    columns = [*values.values()] or [np.empty(0)]
    return {"names": [*values], "values": np.stack(columns)}


def _columns(samples: Mapping[str, Any]) -> dict[str, Floats]:
    return dict(zip(samples["names"], samples["values"], strict=False))


def of_plain(plain: Mapping[str, Any]) -> CellResult:
    """The inverse of `as_plain`."""
    urls, samples = plain["urls"].tobytes().decode(), plain["samples"]
    pages = Pages(tuple(urls.split("\n")) if urls else (), plain["numbers"], plain["flags"])
    return CellResult(pages, samples["at"], _columns(samples), plain["report"])


def write(path: Path, result: CellResult) -> None:
    """Writes the file durably; it has its name once it is whole. Raises OSError."""
    checkpoint.write(path, as_plain(result))


def read(path: Path) -> CellResult:
    """The result in a file. Raises BadCheckpoint if it is missing, damaged or of another format."""
    plain = checkpoint.read(path)
    _checked(path, plain.get("samples"))
    return of_plain(plain)


def read_samples(path: Path) -> Samples:
    """The samples of the result in a file, read without its pages. Raises BadCheckpoint like
    `read`."""
    samples = _checked(path, checkpoint.read(path, "samples"))
    return Samples(samples["at"], _columns(samples))


def _checked(path: Path, samples: Any) -> Any:
    version = samples.get("version") if isinstance(samples, dict) else None
    if version != FORMAT:
        raise BadCheckpoint(f"{path.name} has format {version}, not {FORMAT}")
    return samples


def finite(values: Sequence[float] | Floats) -> Floats:
    """The values that are not NaN."""
    array = np.asarray(values, np.float64)
    return array[np.isfinite(array)]

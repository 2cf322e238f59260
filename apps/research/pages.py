"""The pages of docs/ that report results, each by its name with what writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from apps.papers.catalogue import protocols
from apps.papers.result import read_results
from apps.research import reproduction
from apps.research.bench import document as scale
from apps.research.effectiveness import document
from apps.research.effectiveness.labels.result import LabelResult
from apps.research.effectiveness.main_text.result import TextResult
from apps.research.effectiveness.recall.result import RecallResult
from apps.research.effectiveness.schema import OWN, read_plan
from apps.research.effectiveness.starts.result import StartResult
from apps.research.effectiveness.status.result import StatusResult
from apps.research.effectiveness.strategies.result import WebResult
from apps.research.watching import document as watching
from apps.research.watching.results import WatchResult


def _effectiveness(results: Path) -> str:
    return document.write_document(
        read_plan(OWN),
        WebResult.read_all(results),
        LabelResult.read_all(results),
        StatusResult.read_all(results),
        RecallResult.read_all(results),
        StartResult.read_all(results),
        TextResult.read_all(results),
    )


def _reproduction(results: Path) -> str:
    return reproduction.write_document(protocols(), read_results([results]))


def _watching(results: Path) -> str:
    return watching.write_document(WatchResult.read_all(results))


PAGES: Mapping[str, Callable[[Path], str]] = {
    "effectiveness": _effectiveness,
    "reproduction": _reproduction,
    "scale": scale.write_document,
    "watching": _watching,
}
"""The text of a page of the results in a folder. Each raises Refused for what it cannot read."""

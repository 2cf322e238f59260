"""The result of one run of a protocol on one web, as it is saved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import Field

from apps.engine.evaluation.significance import half_interval
from apps.engine.model import Floats
from apps.papers.claims import Finding, findings
from apps.papers.schema import PaperProtocol
from apps.papers.tables.observed import Observed
from apps.schemas.input import Input
from apps.schemas.json_text import read_file
from apps.schemas.refused import Refused

FORMAT: Final = 1
DIGITS = 6


class CrawlerMean(Input):
    """The mean of a crawler over `cases`, and half of its 95 % interval; null if unknown."""

    crawler: str
    cases: int
    mean: float | None
    half: float | None


class ProtocolResult(Input):
    """A protocol's outcome on a web: means of its quantities at the end of the crawls, and a
    finding for each comparison of its claims."""

    format: Literal[1] = FORMAT
    protocol: str
    web: str
    case: str
    cases: int
    settings: dict[str, Any]
    means: dict[str, Annotated[tuple[CrawlerMean, ...], Field(strict=False)]]
    findings: Annotated[tuple[Finding, ...], Field(strict=False)]


def result_of(
    id: str, protocol: PaperProtocol, web: str, observed: Observed, settings: Mapping[str, Any]
) -> ProtocolResult:
    """The result, with numbers rounded to six digits; means are of what the protocol shows, or else
    of what its claims are about."""
    claimed = (name for claim in protocol.claims for name in claim.measures)
    names = dict.fromkeys(protocol.shows or claimed)
    return ProtocolResult(
        protocol=id,
        web=web,
        case=observed.case,
        cases=observed.cases,
        settings=dict(settings),
        means={name: _means(observed, name) for name in names if name in observed.end},
        findings=tuple(map(_rounded, findings(protocol.claims, observed))),
    )


def as_json(result: ProtocolResult) -> str:
    """The result as a JSON text that differs only where a number does."""
    return json.dumps(result.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"


def save(result: ProtocolResult, folder: Path) -> Path:
    """Writes the result under its protocol's and web's name; returns the path. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    web = re.sub(r"[^A-Za-z0-9]+", "-", result.web).strip("-")
    path = folder / f"{result.protocol}.{web}.json"
    path.write_text(as_json(result), "utf-8")
    return path


def read_results(folders: Iterable[Path]) -> list[ProtocolResult]:
    """The results saved in the folders, by file name. Raises Refused, with the file's name."""
    results = []
    for folder in folders:
        paths = sorted(folder.glob("*.json"))
        if not paths:
            raise Refused("from", f"There is no saved result in {folder}.")
        for path in paths:
            try:
                results.append(ProtocolResult.read(read_file(path)))
            except Refused as refused:
                raise Refused(f"{path.name}: {refused.field}", refused.message) from None
    return results


def _means(observed: Observed, quantity: str) -> tuple[CrawlerMean, ...]:
    """One for each crawler with a value."""
    columns = ((name, observed.column(quantity, name)) for name in observed.crawlers)
    return tuple(
        _mean(name, column[np.isfinite(column)])
        for name, column in columns
        if np.isfinite(column).any()
    )


def _mean(crawler: str, values: Floats) -> CrawlerMean:
    half = half_interval(values.tolist())
    return CrawlerMean(
        crawler=crawler, cases=len(values), mean=_round(float(values.mean())), half=_round(half)
    )


def _rounded(finding: Finding) -> Finding:
    interval = finding.interval and tuple(map(_round, finding.interval))
    numbers = {name: _round(getattr(finding, name)) for name in ("value", "base", "p", "holm")}
    return finding.but(interval=interval, **numbers)


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")

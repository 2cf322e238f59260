"""SL's direct test of status locality, over the links of a whole web (SL §3.1, Fig. 2).

The pages are dealt by a fixed seed into ten samples of roots, which stand for repetitions of the
paper's single sample of 5,000: their spread is what the intervals are made of. In-links are counted
in the web itself; the paper asked a search engine for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from apps.engine.errors import BadWebFile
from apps.engine.evaluation.status_locality import Locality, StatusGraph, status_locality
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.engine.urls import host, registered_domain
from apps.papers.tables.hcla_protocol import RANDOM_SEED
from apps.papers.tables.observed import Observed, Quantity, observed_in_table
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import PartedWeb

SAMPLES = 10
LEAST_PAGES = 100
DISTANCES: Mapping[int | None, str] = {
    1: "1 link away",
    2: "2 links away",
    3: "3 links away",
    None: "random pairs",
}
LINES = tuple(DISTANCES.values())
QUANTITIES = (
    Quantity("correlation", "Spearman's correlation of in-links", "score"),
    Quantity("across_sites", "The same between pages of different sites", "score"),
)


@dataclass(frozen=True, slots=True)
class LocalitySamples:
    """The correlations of each sample, at each distance."""

    web: str
    samples: tuple[tuple[Locality, ...], ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "table": "sl-locality",
            "web": self.web,
            "samples": [[asdict(each) for each in sample] for sample in self.samples],
        }

    def text(self) -> str:
        observed = self.observed()
        head = f"{'pairs':16}" + "".join(f"{each.title:44}" for each in QUANTITIES)
        return "\n".join([head, *(self._row(observed, name) for name in LINES)])

    def observed(self) -> Observed:
        """The samples as cases, the distances as crawlers."""
        cases = [f"sample {number}" for number in range(1, len(self.samples) + 1)]
        return observed_in_table(
            "sample",
            cases,
            {
                (case, DISTANCES[each.distance], quantity): np.nan if value is None else value
                for case, sample in zip(cases, self.samples, strict=True)
                for each in sample
                for quantity, value in (
                    ("correlation", each.correlation),
                    ("across_sites", each.cross),
                )
            },
        )

    def _row(self, observed: Observed, name: str) -> str:
        columns = (observed.column(each.id, name) for each in QUANTITIES)
        defined = (column[np.isfinite(column)] for column in columns)
        return f"{name:16}" + "".join(
            f"{f'{values.mean():+.3f}' if len(values) else '–':44}" for values in defined
        )


def reproduce(web: PartedWeb, options: Options, report: Report) -> LocalitySamples:
    """Raises BadWebFile if the web has fewer than a hundred pages."""
    report("reading the links of all pages")
    links = links_of(web)
    if len(links.inlinks) < LEAST_PAGES:
        raise BadWebFile(f"correlations need {LEAST_PAGES} pages or more")
    order = np.random.default_rng(RANDOM_SEED).permutation(len(links.inlinks))
    return LocalitySamples(
        options.web_name,
        tuple(
            status_locality(links, roots, seed=RANDOM_SEED)
            for roots in np.array_split(order, SAMPLES)
        ),
    )


def links_of(web: PartedWeb) -> StatusGraph:
    """The links between the web's pages, redirects followed, and how many pages link to each."""
    numbers = {url: number for number, url in enumerate(web.labels)}
    rows = [
        np.array(sorted(set(_targets(web, url, numbers)) - {number}), np.int64)
        for url, number in numbers.items()
    ]
    targets = np.concatenate(rows)
    return StatusGraph(
        np.bincount(targets, minlength=len(numbers)).astype(np.float64),
        _sites(numbers),
        np.concatenate([[0], np.cumsum([len(row) for row in rows])]),
        targets,
    )


def _targets(web: PartedWeb, url: str, numbers: Mapping[str, int]) -> Iterator[int]:
    answer = read(web.web, url)
    if answer.failure is None:
        pages = map(web.web.page_at, parse(answer).links.urls)
        yield from (numbers[page] for page in pages if page is not None)


def _sites(urls: Mapping[str, int]) -> np.ndarray:
    names: dict[str, int] = {}
    return np.array(
        [names.setdefault(registered_domain(host(url)), len(names)) for url in urls], np.int64
    )

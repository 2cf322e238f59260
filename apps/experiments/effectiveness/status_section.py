"""Status at equal topicality, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.experiments.effectiveness.status_result import StatusFound, StatusResult
from apps.experiments.effectiveness.status_study import FULL_PAGE, ORACLE, STATUS_LEARNER
from apps.experiments.markdown import table
from apps.figures.quantities import NOTHING, probability, signed

Measure = Literal["harvest", "status"]

LEAST_GAIN, LEAST_HARVEST = 0.1, 0.9
"""What the status learner is held to: so much more mean ln(1 + in-links) than Full Page, at so
large a share of its harvest."""

METHOD = """\
Crawls of {pages} pages that know how many pages of the web link to each: **status** is the mean
ln(1 + in-links) of the pages that links led to, **harvest** the share of them that has the topic's
label. The locality of a web is Spearman's correlation of the in-links of pages one link apart (SL
§3.1): where it is near zero, or below, the status of a page says nothing of that of the pages it
links to, and only counting links is left. *p* is of two-tailed paired t-tests over topics against
Full Page, corrected by Holm over all rows and both measures of a web. The **oracle** sees labels
and in-links one link ahead: it takes relevant pages first and, of equals, those with the most
in-links. What it has above Full Page is what there is room for.

{tuned}

```
manage.py effectiveness --web WEB --status --save docs/effectiveness
```

`demo-N` is the demo web of seed N, which needs no file."""
TUNED = """\
The status learner's α keeps it at what Full Page would find among the links that wait now. Its form
was chosen, out of some 25 forms and settings, on cora, the demo webs, encyclopaedia and
wikispeedia, with a look at many-hosts and portals. Notices had not been looked at: it alone is an
independent test.

**What failed.** With α held at a share of the best that the crawl had reached, it stood at 1 from
page 175 of 300 on in two of three crawls of wikispeedia that were traced: the topic was used up,
no topicality was to be had any more, and status counted for nothing, though ln(1 + parents)
correlated with the true in-links of fetched pages by .63 to .74. No constant weight does on every
web: with 1 more of ln(1 + parents) worth a chance of .3, wikispeedia has +.30 at .96 × Full Page's
harvest and the encyclopaedia −.33 at 1.77 ×; worth 1, +.77 at .33 × and +.37 at 1.16 ×. With the
new α, log-odds added instead of chances give +.06 to +.37 on demo-1 instead of +.31 to +.54: sure
links outweigh any status. None, a quarter or a half of the parents' status, and steps of .02, .05
and .1, differ by little, but for the harvest on wikispeedia: .87 to .91 instead of .93. An α of 0
makes labels worthless, so α stays at .1 or above."""


@dataclass(frozen=True, slots=True)
class _Against:
    """A crawler against Full Page on a web."""

    name: str
    found: StatusFound
    base: StatusFound
    p: Mapping[Measure, float | None]

    @property
    def gain(self) -> float:
        """How much higher its status is."""
        return _mean(self.found.status) - _mean(self.base.status)

    @property
    def harvest(self) -> float:
        """Its harvest as a share of Full Page's; 0 where that has none."""
        base = _mean(self.base.harvest)
        return _mean(self.found.harvest) / base if base else 0.0


def status_section(results: Sequence[StatusResult]) -> Iterator[str]:
    """The section, or nothing without results."""
    if not results:
        return
    pages = sorted({result.pages for result in results})
    yield "## Status"
    yield METHOD.format(pages=" or ".join(map(str, pages)), tuned=TUNED)
    rows = [row for result in results for row in _rows(result)]
    yield table(["web", "crawler", "status", "against Full Page", "higher on topics", "p",
                 "harvest", "× Full Page", "higher, lower on topics", "p"], rows)
    yield "\n".join(f"- {_said(result)}" for result in results)


def _rows(result: StatusResult) -> Iterator[list[str]]:
    base = result.crawlers[FULL_PAGE]
    yield [_web(result), FULL_PAGE, f"{_mean(base.status):.3f}", NOTHING, NOTHING, NOTHING,
           f"{_mean(base.harvest):.3f}", "1", NOTHING, NOTHING]
    for each in _tested(result):
        more, _ = wins(each.found.status, base.status)
        better, worse = wins(each.found.harvest, base.harvest)
        name = f"**{each.name}**" if each.name == STATUS_LEARNER else each.name
        yield ["", name, f"{_mean(each.found.status):.3f}", signed(each.gain, 3),
               f"{more} of {len(result.topics)}", probability(each.p["status"]),
               f"{_mean(each.found.harvest):.3f}", f"{each.harvest:.2f}", f"{better}, {worse}",
               probability(each.p["harvest"])]
    if oracle := _oracle(result):
        yield ["", ORACLE, f"{_mean(oracle.found.status):.3f}", signed(oracle.gain, 3), NOTHING,
               NOTHING, f"{_mean(oracle.found.harvest):.3f}", f"{oracle.harvest:.2f}", NOTHING,
               NOTHING]


def _oracle(result: StatusResult) -> _Against | None:
    """The oracle, which is not tested; None where it was not run."""
    found = result.crawlers.get(ORACLE)
    return found and _Against(ORACLE, found, result.crawlers[FULL_PAGE], {})


def _web(result: StatusResult) -> str:
    known = NOTHING if result.locality is None else signed(result.locality, 2)
    return f"{result.web}: {len(result.topics)} topics, locality {known}"


def _tested(result: StatusResult) -> list[_Against]:
    """Every crawler against Full Page, after Holm."""
    base = result.crawlers[FULL_PAGE]
    others = {name: found for name, found in result.crawlers.items()
              if name not in (FULL_PAGE, ORACLE)}
    measures: tuple[Measure, ...] = ("status", "harvest")
    raw = {(name, measure): paired_t_test(getattr(found, measure), getattr(base, measure)).p
           for name, found in others.items() for measure in measures}
    corrected = dict(zip(raw, holm([*raw.values()]), strict=True))
    return [_Against(name, found, base, {m: corrected[name, m] for m in measures})
            for name, found in others.items()]


def _said(result: StatusResult) -> str:
    """Whether the status learner does on a web what is asked of it."""
    found, base = result.crawlers[STATUS_LEARNER], result.crawlers[FULL_PAGE]
    mine = next(each for each in _tested(result) if each.name == STATUS_LEARNER)
    gains = np.subtract(found.status, base.status)
    enough = int((gains >= LEAST_GAIN).sum())
    kept = mine.harvest >= LEAST_HARVEST
    most = enough >= np.ceil(7 / 8 * len(result.topics))
    verdict = "as asked" if kept and most else "less than asked"
    said = (f"{result.web}: the status learner's status is higher by {LEAST_GAIN} or more on"
            f" {enough} of {len(result.topics)} topics, at {mine.harvest:.2f} × Full Page's"
            f" harvest: {verdict}.{_least(found, base)}")
    if oracle := _oracle(result):
        said += (f" There is room for {signed(oracle.gain, 2)} at {oracle.harvest:.2f} × the"
                 " harvest.")
    return said


def _least(found: StatusFound, base: StatusFound) -> str:
    """On how many topics its share of Full Page's harvest is less than asked of the mean."""
    pairs = zip(found.harvest, base.harvest, strict=True)
    less = [share for mine, full in pairs if full and (share := mine / full) < LEAST_HARVEST]
    if not less:
        return ""
    return (f" Topics with less than {LEAST_HARVEST} × Full Page's harvest: {len(less)}, the least"
            f" {min(less):.2f}.")


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))

"""AFC's figures 6 to 9 and 12 to 14, reproduced as tables (AFC §3.4–3.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

import numpy as np

from apps.experiments.studies.offset_features import EFFECTS, WIDEST, WINDOWS, Window
from apps.papers.tables.afc_apprentice import CRAWLERS, ApprenticeStudy, ApprenticeSwitch, study
from apps.papers.tables.hcla_protocol import whole_vocabulary
from apps.papers.tables.observed import Observed, Quantity, observed_in_table
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import PartedWeb

PAGES = 600
CATEGORY = "student"
MOMENTS = 6
EARLY = 100
GAIN_SCALE = 1e5
QUANTITIES = (
    Quantity("accuracy", "Held-out accuracy"),
    Quantity("accuracy_high", "Accuracy on HIGH links"),
    Quantity("accuracy_low", "Accuracy on LOW links"),
    Quantity("gain", "Information gain of a word, in 10⁻⁵ bits", "count"),
    Quantity("loss_early", f"Loss of the first {EARLY} pages"),
    Quantity("loss", "Loss of the whole crawl"),
    Quantity("labelled", "Share of labelled pages"),
    Quantity("loss_at_the_switch", "Loss of as many pages at the switch"),
    Quantity("promise", "Mean promise of the waiting links at the switch"),
    Quantity("abandoned", "Share of the waiting links with a promise below a tenth"),
)
AT_THE_SWITCH = ("before the switch", "after the switch", "baseline continued")


@dataclass(frozen=True, slots=True)
class AfcStudies:
    """The studies of one web, one for each university and category."""

    web: str
    studies: tuple[ApprenticeStudy, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "table": "afc-figures",
            "web": self.web,
            "studies": [asdict(each) for each in self.studies],
        }

    def observed(self) -> Observed:
        """The universities, for each category, as cases."""
        cases = [f"{each.category} at {each.university}" for each in self.studies]
        return observed_in_table(
            "university",
            cases,
            {
                (case, crawler, measure): np.nan if value is None else value
                for case, each in zip(cases, self.studies, strict=True)
                for crawler, measure, value in _numbers(each)
            },
        )

    def text(self) -> str:
        """Every figure as a table; shares from 0 to 1, – for undefined values."""
        return "\n".join(line for each in self.studies for line in _lines(each))


def reproduce(web: PartedWeb, options: Options, report: Report) -> AfcStudies:
    """Studies each university and category, by default with 600 pages a crawl."""
    vocabulary = whole_vocabulary(web)
    studies = []
    for name in options.universities or web.names:
        part = web.part(name)
        for category in options.categories or (CATEGORY,):
            report(f"{category} at {name}")
            studies.append(study(web, part, category, vocabulary, options.pages or PAGES))
    return AfcStudies(options.web_name, tuple(studies))


def plain(dmax: int) -> str:
    """The name of a window whose words count without their offsets."""
    return f"dmax {dmax}, plain text"


def away(offset: int) -> str:
    """The name of the words at a distance from the link."""
    return "in the anchor" if not offset else f"{offset} away"


LINES = (
    *(f"dmax {dmax}" for dmax in WINDOWS),
    *map(plain, WINDOWS),
    *EFFECTS,
    *map(away, range(WIDEST + 1)),
    *CRAWLERS,
    *AT_THE_SWITCH,
)


def _numbers(results: ApprenticeStudy) -> Iterator[tuple[str, str, float | None]]:
    """Every number of a study: of what, which quantity, its value."""
    yield from chain.from_iterable(map(_accuracies, results.windows))
    for at in range(WIDEST + 1):
        gains = [
            each.gain
            for each in results.windows[WIDEST].at
            if abs(each.offset) == at and each.gain is not None
        ]
        yield away(at), "gain", GAIN_SCALE * sum(gains) / len(gains) if gains else None
    for effect in results.effects:
        yield effect.features, "accuracy", effect.validation.average
    for each in results.losses:
        yield each.crawler, "labelled", each.labelled
        yield each.crawler, "loss", each.course[-1]
        early = each.course[EARLY - 1] if len(each.course) >= EARLY else None
        yield each.crawler, "loss_early", early
    if results.switch is not None:
        losses = (results.switch.loss_before, results.switch.loss_after, results.switch.baseline)
        for name, loss in zip(AT_THE_SWITCH, losses, strict=True):
            yield name, "loss_at_the_switch", loss
        tenths = (results.switch.before, results.switch.after)
        for name, counts in zip(AT_THE_SWITCH, tenths, strict=False):
            yield name, "promise", mean_promise(counts)
            yield name, "abandoned", counts[0] / sum(counts) if sum(counts) else None


def mean_promise(tenths: Sequence[int]) -> float | None:
    """The mean of promises counted in tenths, each taken as the middle of its tenth."""
    middles = (np.arange(len(tenths)) + 0.5) / len(tenths)
    return float(np.average(middles, weights=tenths)) if sum(tenths) else None


def _accuracies(window: Window) -> Iterator[tuple[str, str, float | None]]:
    name = f"dmax {window.dmax}"
    yield name, "accuracy", window.offsets.average
    yield name, "accuracy_high", window.offsets.positive
    yield name, "accuracy_low", window.offsets.negative
    yield plain(window.dmax), "accuracy", window.plain.average


def _lines(results: ApprenticeStudy) -> Iterator[str]:
    yield f"{results.category} at {results.university}: {results.links} links teach"
    yield ""
    yield "Held-out accuracy (Fig. 6, 7)"
    yield f"{'dmax':>6}{'positive':>10}{'negative':>10}{'average':>10}{'without offsets':>17}"
    for window in results.windows:
        shares = (window.offsets.positive, window.offsets.negative, window.offsets.average)
        yield (
            f"{window.dmax:6}"
            + "".join(f"{_share(s):>10}" for s in shares)
            + f"{_share(window.plain.average):>17}"
        )
    yield ""
    yield from _gain_lines(results.windows)
    yield "By offset at dmax 5: rate of terms (9a), commonest tags (9b)"
    for at, named in zip(results.windows[WIDEST].at, results.tags, strict=True):
        yield f"{at.offset:6}{at.rate:10.3f}   " + ", ".join(f"{tag} {n}" for tag, n in named)
    yield ""
    yield "Held-out accuracy at dmax 5 with other features (§3.8)"
    for effect in results.effects:
        yield f"  {effect.features:28}{_share(effect.validation.average):>8}"
    yield ""
    yield "Mean loss by its critic (Fig. 12), and the share of labelled pages at the end"
    moments = _moments(min(len(each.course) for each in results.losses))
    yield f"{'pages':22}" + "".join(f"{n:8}" for n in moments) + f"{'labelled':>10}"
    for each in results.losses:
        course = "".join(f"{each.course[n - 1]:8.3f}" for n in moments)
        yield f"{each.crawler:22}{course}{each.labelled:10.3f}"
    yield ""
    yield from _switch_lines(results.switch)


def _gain_lines(windows: Sequence[Window]) -> Iterator[str]:
    """Information gain by offset (rows) for every window size (columns), in 10⁻⁵ bits."""
    gains = {(w.dmax, at.offset): at.gain for w in windows for at in w.at}
    widest = max(window.dmax for window in windows)
    yield "Information gain in 10⁻⁵ bits, by offset and dmax (Fig. 8)"
    yield f"{'':>6}" + "".join(f"{window.dmax:6}" for window in windows)
    for offset in range(-widest, widest + 1):
        row = [gains.get((window.dmax, offset)) for window in windows]
        yield f"{offset:6}" + "".join(f"{'–' if g is None else round(1e5 * g):>6}" for g in row)
    yield ""


def _switch_lines(switch: ApprenticeSwitch | None) -> Iterator[str]:
    if switch is None:
        yield "The crawl ended before the apprentice had learned (Fig. 13, 14)."
        yield ""
        return
    yield f"The frontier's promise in tenths, at the switch after {switch.pages} pages (Fig. 13a)"
    yield "  before " + "".join(f"{n:7}" for n in switch.before)
    yield "  after  " + "".join(f"{n:7}" for n in switch.after)
    yield (
        f"Loss of {switch.stretch} pages (Fig. 13b, 14): before {switch.loss_before:.3f}, after"
        f" {switch.loss_after:.3f}; the baseline that continues {switch.baseline:.3f}"
    )
    yield ""


def _moments(pages: int) -> Sequence[int]:
    return sorted({max(1, pages * i // MOMENTS) for i in range(1, MOMENTS + 1)})


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"

"""AFC's figures 6 to 9 and 12 to 14, reproduced as tables (AFC §3.4–3.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from apps.experiments.reproduce.afc_apprentice import Study, Switch, study
from apps.experiments.reproduce.afc_features import WIDEST, Window
from apps.experiments.reproduce.hcla_protocol import whole_vocabulary
from apps.experiments.reproduce.options import Options, Say
from apps.experiments.reproduce.parted_web import PartedWeb

PAGES = 600
CATEGORY = "student"
MOMENTS = 6


@dataclass(frozen=True, slots=True)
class Figures:
    """The studies of one web, one for each university and category."""

    web: str
    studies: tuple[Study, ...]

    def as_dict(self) -> dict[str, Any]:
        return {"table": "afc-figures", "web": self.web,
                "studies": [asdict(each) for each in self.studies]}

    def text(self) -> str:
        """Every figure as a table; shares from 0 to 1, – for undefined values."""
        return "\n".join(line for each in self.studies for line in _lines(each))


def reproduce(web: PartedWeb, options: Options, say: Say) -> Figures:
    """Studies each university and category, by default with 600 pages a crawl."""
    vocabulary = whole_vocabulary(web)
    found = []
    for name in options.universities or web.names:
        part = web.part(name)
        for category in options.categories or (CATEGORY,):
            say(f"{category} at {name}")
            found.append(study(web, part, category, vocabulary, options.pages or PAGES))
    return Figures(options.web_name, tuple(found))


def _lines(found: Study) -> Iterator[str]:
    yield f"{found.category} at {found.university}: {found.links} links teach"
    yield ""
    yield "Held-out accuracy (Fig. 6, 7)"
    yield f"{'dmax':>6}{'positive':>10}{'negative':>10}{'average':>10}{'without offsets':>17}"
    for window in found.windows:
        shares = (window.offsets.positive, window.offsets.negative, window.offsets.average)
        yield (f"{window.dmax:6}" + "".join(f"{_share(s):>10}" for s in shares)
               + f"{_share(window.plain.average):>17}")
    yield ""
    yield from _gain_lines(found.windows)
    yield "By offset at dmax 5: rate of terms (9a), commonest tags (9b)"
    for at, named in zip(found.windows[WIDEST].at, found.tags, strict=True):
        yield f"{at.offset:6}{at.rate:10.3f}   " + ", ".join(f"{tag} {n}" for tag, n in named)
    yield ""
    yield "Held-out accuracy at dmax 5 with other features (§3.8)"
    for effect in found.effects:
        yield f"  {effect.features:28}{_share(effect.validation.average):>8}"
    yield ""
    yield "Mean loss by its critic (Fig. 12), and the share of labelled pages at the end"
    moments = _moments(min(len(each.course) for each in found.losses))
    yield f"{'pages':22}" + "".join(f"{n:8}" for n in moments) + f"{'labelled':>10}"
    for each in found.losses:
        course = "".join(f"{each.course[n - 1]:8.3f}" for n in moments)
        yield f"{each.crawler:22}{course}{each.labelled:10.3f}"
    yield ""
    yield from _switch_lines(found.switch)


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


def _switch_lines(switch: Switch | None) -> Iterator[str]:
    if switch is None:
        yield "The crawl ended before the apprentice had learned (Fig. 13, 14)."
        yield ""
        return
    yield f"The frontier's promise in tenths, at the switch after {switch.pages} pages (Fig. 13a)"
    yield "  before " + "".join(f"{n:7}" for n in switch.before)
    yield "  after  " + "".join(f"{n:7}" for n in switch.after)
    yield (f"Loss of {switch.stretch} pages (Fig. 13b, 14): before {switch.loss_before:.3f}, after"
        f" {switch.loss_after:.3f}; the baseline that continues {switch.baseline:.3f}")
    yield ""


def _moments(pages: int) -> Sequence[int]:
    return sorted({max(1, pages * i // MOMENTS) for i in range(1, MOMENTS + 1)})


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"

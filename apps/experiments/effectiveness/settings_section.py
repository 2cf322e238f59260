"""Whether another default would find more, over all webs, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.experiments.effectiveness.result import WebResult
from apps.experiments.markdown import table
from apps.experiments.paired_tests import LEVEL
from apps.figures.quantities import NOTHING

SETTINGS: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType({
    "The mean of the parents instead of the best": (
        ("Full page, parents mean", "Full page, parents max"),
        ("Text window combo, β 0.25, parents mean", "Text window combo, β 0.25, parents max"),
        ("Text window combo, β 0.5, parents mean", "Text window combo, β 0.5, parents max"),
        ("Tag tree combo, β 0.5, parents mean", "Tag tree combo, β 0.5, parents max"),
    ),
    "β .5 instead of .25": (
        ("Text window combo, β 0.5, parents max", "Text window combo, β 0.25, parents max"),
        ("Text window combo, β 0.5, parents mean", "Text window combo, β 0.25, parents mean"),
        ("Tag tree combo, β 0.5, parents max", "Tag tree combo, β 0.25, parents max"),
    ),
})  # fmt: skip

METHOD = """\
Defaults of link scores against another value of theirs, by the recall of every topic of all webs
together: on how many topics the other value is better or worse, and *p* of two-tailed paired
t-tests, corrected by Holm over these rows. Each web's figure is its recall, × that with the
default. A value becomes the default if it is ahead on every web."""


LEARNER = """\
**The learner: what was tried and failed.** Crawls of 500 pages of up to 12 topics a web, three or
four each, which differ by small noise; mean difference of ln recall over topics ± its standard
error. Pages are ranked well already: on made webs the classifier's average precision over unseen
pages is .97 or more, and where it rises, crawls hardly follow. The other topics' examples as weak
negatives, of a quarter of the weight: +.003 ± .007 (67 topics of six webs; wikispeedia +.02, webkb
−.04), −.105 ± .069 on webkb if the calibration sees them, too. 100 latent directions: +.001 ± .017
on webkb and wikispeedia, at a higher cost; half the weight for 50: −.010 ± .009 on wikispeedia,
where precision rose by 14 %. A bonus for early found links, which is what breadth-first has:
−.006 ± .010 and −.011 ± .016; how fetched links nearby on the page turned out: −.05 ± .06 on webkb;
the best instead of the mean of the parents' siblings: −.08 ± .03 there; the best parent beside the
mean, and ln(1 + Σ of the parents' judgements): +.014 ± .016 and +.019 ± .022 on cora and webkb,
within noise. Experts, one crawl of each of 31 topics of cora, webkb and wikispeedia: +.016 ± .017.
What it gains may come of the text window combo (+.024 ± .015 with the learner alone), whose
classifier knows no background; breadth-first gives +.003 ± .018, Full Page −.006 ± .023."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What another value changes for a crawler on the webs where both were run."""

    setting: str
    crawler: str
    by_web: Mapping[str, float]
    better: int
    worse: int
    p: float | None


def settings_section(results: Sequence[WebResult]) -> Iterator[str]:
    """The section, or nothing if no web has both values of a setting."""
    found = [_change(setting, *pair, results) for setting, pairs in SETTINGS.items()
             for pair in pairs]
    known = [each for each in found if each.by_web]
    if not known:
        return
    webs = [result.web for result in results]
    after_holm = holm([each.p for each in known])
    yield "## Other defaults"
    yield METHOD
    yield table(
        ["what instead of the default", "crawler", *webs, "better, worse on topics", "p"],
        [_row(each, webs, p) for each, p in zip(known, after_holm, strict=True)],
    )
    yield "\n".join(f"- {_said(setting, known, after_holm)}" for setting in SETTINGS
                    if any(each.setting == setting for each in known))
    yield LEARNER


def _change(setting: str, other: str, default: str, results: Sequence[WebResult]) -> _Change:
    both = [result for result in results if {other, default} <= result.crawlers.keys()]
    ours = [value for result in both for value in result.crawlers[other].recall]
    theirs = [value for result in both for value in result.crawlers[default].recall]
    by_web = {
        result.web: float(result.crawlers[other].values.mean())
        / float(result.crawlers[default].values.mean())
        for result in both
    }
    p = paired_t_test(ours, theirs).p if ours else None
    return _Change(setting, other, by_web, *wins(ours, theirs), p)


def _row(change: _Change, webs: Sequence[str], p: float | None) -> list[str]:
    ratios = [f"{change.by_web[web]:.2f}" if web in change.by_web else NOTHING for web in webs]
    return [change.setting, change.crawler, *ratios, f"{change.better}, {change.worse}",
            NOTHING if p is None else f"{p:.3f}"]


def _said(setting: str, changes: Sequence[_Change], after_holm: Sequence[float | None]) -> str:
    """What the rows of a setting say together."""
    rows = [(each, p) for each, p in zip(changes, after_holm, strict=True)
            if each.setting == setting]
    better = sum(each.better > each.worse and p is not None and p < LEVEL for each, p in rows)
    worse = sum(each.better < each.worse and p is not None and p < LEVEL for each, p in rows)
    webs = sorted({web for each, _ in rows for web, ratio in each.by_web.items() if ratio < 1})
    behind = f"it finds less with some crawler on {', '.join(webs)}" if webs else "on every web"
    kept = "So the default stays." if webs else "So it is the default."
    return (f"**{setting}**: shown to find more with {better} of "
            f"{len(rows)} crawlers, less with {worse}; {behind}. {kept}")

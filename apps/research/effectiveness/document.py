"""docs/effectiveness.md, written of saved results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.engine.intelligence.strategies import strategy
from apps.experiments.results.paired_tests import LEVEL
from apps.figures.quantities import NOTHING, signed
from apps.research.effectiveness.labels.result import LabelResult
from apps.research.effectiveness.labels.section import label_sections
from apps.research.effectiveness.main_text.result import TextResult
from apps.research.effectiveness.main_text.section import text_section
from apps.research.effectiveness.recall.result import RecallResult
from apps.research.effectiveness.recall.section import recall_section
from apps.research.effectiveness.schema import LearnerWeights, StudyPlan
from apps.research.effectiveness.starts.result import StartResult
from apps.research.effectiveness.starts.section import starts_section
from apps.research.effectiveness.status.result import StatusResult
from apps.research.effectiveness.status.section import status_section
from apps.research.effectiveness.strategies.cross_validation import ORACLE, Chosen, choose
from apps.research.effectiveness.strategies.mixtures_section import mixtures_section
from apps.research.effectiveness.strategies.result import CrawlerRecall, WebResult
from apps.research.effectiveness.strategies.settings_section import settings_section
from apps.research.markdown import render, table

OWN = "Crawlsite"
FULL_PAGE = "Full page, parents max"
MEAN_OF_PARENTS = "Full page, parents mean"
BREADTH_FIRST = "Breadth-first"
LEARNER = "Learner"
ROOM = 1.25
"""The oracle leaves room where it finds so many times the targets of Full Page."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A crawler against the learner with held-out weights, on one web."""

    name: str
    crawler: CrawlerRecall
    p: float | None
    better: int
    worse: int
    gain: float

    @property
    def is_better(self) -> bool:
        """Whether the learner is shown to be better."""
        return self.p is not None and self.p < LEVEL and self.gain > 0


def write_document(
    plan: StudyPlan,
    results: Sequence[WebResult],
    labels: Sequence[LabelResult] = (),
    statuses: Sequence[StatusResult] = (),
    recalls: Sequence[RecallResult] = (),
    starts: Sequence[StartResult] = (),
    texts: Sequence[TextResult] = (),
) -> str:
    """The whole document. Raises Refused if the results do not suffice."""
    chosen = choose(plan, results)
    tests = {result.web: _tests(result, chosen.held_out(result)) for result in results}
    pages = sorted({result.pages for result in results})
    return render(
        "effectiveness.md",
        pages=" or ".join(f"{most:,}" for most in pages),
        webs=len(results),
        short=_short(results, chosen, tests),
        **_against_published(results, chosen, tests),
        **_where_there_is_room(results, chosen),
        strategies=_strategies(results, chosen, tests),
        **_weights(plan, results, chosen),
        ablations=_ablations(plan, results),
        other_defaults=settings_section(results),
        mixtures=mixtures_section(results, _as_it_is(plan)),
        labels=label_sections(labels),
        status=status_section(statuses),
        recall=recall_section(recalls),
        starts=starts_section(starts),
        main_text=text_section(texts),
        runs=[_run(result) for result in results],
    )


def _tests(result: WebResult, learner: CrawlerRecall) -> Mapping[str, _Row]:
    """Every other crawler of the catalogue against the learner, after Holm."""
    others = result.of_kind("strategy")
    raw = {name: paired_t_test(learner.recall, each.recall).p for name, each in others.items()}
    corrected = dict(zip(raw, holm([*raw.values()]), strict=True))
    rows = {}
    for name, each in others.items():
        better, worse = wins(learner.recall, each.recall)
        gain = float(learner.values.mean() - each.values.mean())
        rows[name] = _Row(name, each, corrected[name], better, worse, gain)
    return rows


def _published(rows: Iterable[_Row]) -> list[_Row]:
    return [row for row in rows if strategy(row.crawler.strategy).paper != OWN]


def _best_published(rows: Mapping[str, _Row]) -> _Row:
    return max(_published(rows.values()), key=lambda row: float(row.crawler.values.mean()))


def _short(
    results: Sequence[WebResult], chosen: Chosen, tests: Mapping[str, Mapping[str, _Row]]
) -> str:
    head = [
        "web",
        "topics",
        "breadth-first",
        "Full Page, best parent",
        "mean of parents",
        "best published",
        "**learner**, weights held out",
        "oracle",
        "× Full Page",
        "of the way from the best published to the oracle",
        "better than it on topics",
        "p",
    ]
    return table(head, [_short_row(each, chosen, tests[each.web]) for each in results])


def _short_row(result: WebResult, chosen: Chosen, rows: Mapping[str, _Row]) -> list[str]:
    learner, best = _mean(chosen.held_out(result)), _best_published(rows)
    oracle, full = _mean(result.crawlers[ORACLE]), _mean(result.crawlers[FULL_PAGE])
    return [
        result.web,
        str(len(result.topics)),
        _of(result, BREADTH_FIRST),
        _of(result, FULL_PAGE),
        _of(result, MEAN_OF_PARENTS),
        f"{_mean(best.crawler):.3f} ({best.name})",
        f"**{learner:.3f}**",
        f"{oracle:.3f}",
        f"{learner / full:.2f} (oracle {oracle / full:.2f})",
        _way(_mean(best.crawler), learner, oracle),
        f"{best.better} of {len(result.topics)}",
        _p(best.p),
    ]


def _way(best: float, learner: float, oracle: float) -> str:
    """How far the learner comes from the best published strategy to the oracle."""
    if best >= oracle:
        return "no room"
    share = (learner - best) / (oracle - best)
    return "beyond it" if share > 1 else f"{round(100 * share)} %"


def _against_published(
    results: Sequence[WebResult], chosen: Chosen, tests: Mapping[str, Mapping[str, _Row]]
) -> Mapping[str, Any]:
    """The webs on which the learner is ahead of the best published crawler, and of how many it is
    shown to be better."""
    ahead, counts, of_all = [], [], []
    for result in results:
        rows = tests[result.web]
        if _mean(chosen.held_out(result)) > _mean(_best_published(rows).crawler):
            ahead.append(result.web)
        published = _published(rows.values())
        is_better = sum(row.is_better for row in published)
        counts.append(f"{result.web} {is_better} of {len(published)}")
        if is_better == len(published):
            of_all.append(result.web)
    return {"ahead": ahead, "shown_better": counts, "better_than_all": of_all}


def _where_there_is_room(results: Sequence[WebResult], chosen: Chosen) -> Mapping[str, Any]:
    with_room, reached = [], []
    for result in results:
        full = _mean(result.crawlers[FULL_PAGE])
        if _mean(result.crawlers[ORACLE]) >= ROOM * full:
            with_room.append(result.web)
            if _mean(chosen.held_out(result)) >= 1.2 * full:
                reached.append(result.web)
    return {"room": ROOM, "with_room": with_room, "reached": reached}


def _strategies(
    results: Sequence[WebResult], chosen: Chosen, tests: Mapping[str, Mapping[str, _Row]]
) -> str:
    """Recall of every crawler on every web, best first by their mean."""
    names = dict.fromkeys(name for result in results for name in tests[result.web])
    order = sorted(names, key=lambda name: -_overall(name, results))
    rows = [
        [
            f"**{LEARNER}**, weights held out",
            *(f"**{_mean(chosen.held_out(each)):.3f}**" for each in results),
        ]
    ]
    rows += [[name, *(_cell(tests[each.web].get(name)) for each in results)] for name in order]
    return table(["", *(result.web for result in results)], rows)


def _overall(name: str, results: Sequence[WebResult]) -> float:
    shares = [
        _mean(each.crawlers[name]) / _mean(each.crawlers[ORACLE])
        for each in results
        if name in each.crawlers
    ]
    return sum(shares) / len(shares)


def _cell(row: _Row | None) -> str:
    if row is None:
        return NOTHING
    is_significant = row.p is not None and row.p < LEVEL
    return f"{_mean(row.crawler):.3f}" + (f" ({signed(-row.gain, 3)})" if is_significant else "")


def _weights(plan: StudyPlan, results: Sequence[WebResult], chosen: Chosen) -> Mapping[str, Any]:
    """The candidates' shares of the oracle's recall, and which of them the learner starts with."""
    rows, means = [], {}
    for number, candidate in enumerate(plan.candidates):
        shares = [chosen.shares[result.web][number] for result in results]
        cells = [
            f"{share:.3f}" + ("\\*" if chosen.without[result.web] == candidate.name else "")
            for result, share in zip(results, shares, strict=True)
        ]
        mean = means[candidate.name] = sum(shares) / len(shares)
        rows.append([candidate.name, _weights_words(candidate), *cells, f"{mean:.3f}"])
    own = LearnerWeights(name=LEARNER)
    started = next(
        (each.name for each in plan.candidates if each.all_weights() == own.all_weights()),
        chosen.best,
    )
    return {
        "weights": table(["candidate", "weights", *(each.web for each in results), "mean"], rows),
        "best": chosen.best,
        "own_weights": _weights_words(own),
        "started": started,
        "behind": means[chosen.best] - means[started],
    }


def _weights_words(weighting: LearnerWeights) -> str:
    words = ", ".join(f"{part} {weight:g}" for part, weight in weighting.all_weights().items())
    usual = LearnerWeights.model_fields["hold"].default
    return words if weighting.hold == usual else f"{words}; hold {weighting.hold:g}"


def _ablations(plan: StudyPlan, results: Sequence[WebResult]) -> str:
    """The learner as it is, and without one part each, where that was run; else nothing."""
    whole = _as_it_is(plan)
    run = [result for result in results if result.of_kind("ablation")]
    if not run:
        return ""
    rows = [["the learner as it is", *(_of(result, whole) for result in run)]]
    rows += [
        [ablation.name, *(_without(result, whole, ablation.name) for result in run)]
        for ablation in plan.ablations
    ]
    return table(["", *(result.web for result in run)], rows)


def _as_it_is(plan: StudyPlan) -> str:
    """The candidate with the weights that the learner has."""
    learner = LearnerWeights(name=LEARNER)
    return next(
        (each.name for each in plan.candidates if _weights_words(each) == _weights_words(learner)),
        "",
    )


def _without(result: WebResult, whole: str, name: str) -> str:
    if name not in result.crawlers or whole not in result.crawlers:
        return NOTHING
    test = paired_t_test(result.crawlers[name].recall, result.crawlers[whole].recall)
    recall = _of(result, name)
    if test.p is None or test.p >= LEVEL or test.difference is None:
        return recall
    return f"{recall} ({signed(test.difference, 3)})"


def _run(result: WebResult) -> Mapping[str, Any]:
    return {
        "command": result.command,
        "web": result.web,
        "topics": len(result.topics),
        "fewest": min(result.targets),
        "most": max(result.targets),
    }


def _of(result: WebResult, name: str) -> str:
    return f"{_mean(result.crawlers[name]):.3f}" if name in result.crawlers else NOTHING


def _mean(crawler: CrawlerRecall) -> float:
    return float(crawler.values.mean())


def _p(p: float | None) -> str:
    if p is None:
        return NOTHING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"

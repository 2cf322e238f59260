"""docs/effectiveness.md, written of saved results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.engine.intelligence.strategies import strategy
from apps.experiments.effectiveness.cross_validation import ORACLE, Chosen, choose
from apps.experiments.effectiveness.label_result import LabelResult
from apps.experiments.effectiveness.label_sections import label_sections
from apps.experiments.effectiveness.mixtures_section import mixtures_section
from apps.experiments.effectiveness.recall_result import RecallResult
from apps.experiments.effectiveness.recall_section import recall_section
from apps.experiments.effectiveness.result import Found, WebResult
from apps.experiments.effectiveness.schema import Plan, Weighting
from apps.experiments.effectiveness.settings_section import settings_section
from apps.experiments.effectiveness.status_result import StatusResult
from apps.experiments.effectiveness.status_section import status_section
from apps.experiments.markdown import table
from apps.experiments.paired_tests import LEVEL
from apps.figures.quantities import NOTHING, signed

OWN = "Crawlsite"
FULL_PAGE = "Full page, parents max"
MEAN_OF_PARENTS = "Full page, parents mean"
BREADTH_FIRST = "Breadth-first"
LEARNER = "Learner"
ROOM = 1.25
"""The oracle leaves room where it finds so many times the targets of Full Page."""

INTRODUCTION = """\
# How well the strategies do

This page is generated of the results in `docs/effectiveness/`. To run a web again, and to write the
page:

```
manage.py import_web NAME FILE [--redirects FILE]
manage.py effectiveness --web NAME --save docs/effectiveness
manage.py effectiveness --write docs/effectiveness.md --from docs/effectiveness
```

What a run does stands in `apps/experiments/effectiveness/study.toml`; results that are saved there
already are not run again. Made webs are written by
`manage.py effectiveness --make MAKE --seed N --write FILE`, with seed 1 for the first make of
`made_web.py`, 2 for the second and so on; webkb has a file of redirects.

Topics are labels of a web: half of a label's pages, at most 20, are seeds and positive examples,
the others targets; twice as many negatives are drawn from the other pages. The background is the
other topics' examples. Figures are recall: the share of a topic's targets among the first {pages}
pages of a crawl, as a mean over topics. *p* is of two-tailed paired t-tests over topics, corrected
by Holm over all crawlers of a web.

**The learner's weights are never chosen on the web they are measured on**: of the candidates below,
each web has the one that is best on all the other webs, by recall as a share of the oracle's. What
the candidates are was thought of after a look at cora, webkb and wikispeedia; the other webs had
not been looked at. The **oracle** sees which links lead to relevant pages, one link ahead. It is no
upper bound: a crawler that looks further may find more."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A crawler against the learner with held-out weights, on one web."""

    name: str
    found: Found
    p: float | None
    better: int
    worse: int
    gain: float

    @property
    def shown(self) -> bool:
        """Whether the learner is shown to be better."""
        return self.p is not None and self.p < LEVEL and self.gain > 0


def write_document(
    plan: Plan, results: Sequence[WebResult], labels: Sequence[LabelResult] = (),
    statuses: Sequence[StatusResult] = (), recalls: Sequence[RecallResult] = (),
) -> str:
    """The whole document. Raises Refused if the results do not suffice."""
    chosen = choose(plan, results)
    tests = {result.web: _tests(result, chosen.held_out(result)) for result in results}
    pages = sorted({result.pages for result in results})
    blocks = [
        INTRODUCTION.replace("{pages}", " or ".join(f"{most:,}" for most in pages)),
        "## In short", _short(results, chosen, tests), _said(results, chosen, tests),
        "## All strategies", _strategies(results, chosen, tests),
        "## The learner's weights", *_weights(plan, results, chosen),
        *_ablations(plan, results), *settings_section(results),
        *mixtures_section(results, _as_it_is(plan)),
        *label_sections(labels), *status_section(statuses), *recall_section(recalls),
        "## The runs", _runs(results),
    ]
    return "\n\n".join(blocks) + "\n"


def _tests(result: WebResult, learner: Found) -> Mapping[str, _Row]:
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
    return [row for row in rows if strategy(row.found.strategy).paper != OWN]


def _best_published(rows: Mapping[str, _Row]) -> _Row:
    return max(_published(rows.values()), key=lambda row: float(row.found.values.mean()))


def _short(
    results: Sequence[WebResult], chosen: Chosen, tests: Mapping[str, Mapping[str, _Row]]
) -> str:
    head = ["web", "topics", "breadth-first", "Full Page, best parent", "mean of parents",
            "best published", "**learner**, weights held out", "oracle", "× Full Page",
            "of the way from the best published to the oracle", "better than it on topics", "p"]
    return table(head, [_short_row(each, chosen, tests[each.web]) for each in results])


def _short_row(result: WebResult, chosen: Chosen, rows: Mapping[str, _Row]) -> list[str]:
    learner, best = _mean(chosen.held_out(result)), _best_published(rows)
    oracle, full = _mean(result.crawlers[ORACLE]), _mean(result.crawlers[FULL_PAGE])
    return [
        result.web, str(len(result.topics)), _of(result, BREADTH_FIRST), _of(result, FULL_PAGE),
        _of(result, MEAN_OF_PARENTS), f"{_mean(best.found):.3f} ({best.name})",
        f"**{learner:.3f}**", f"{oracle:.3f}", f"{learner / full:.2f} (oracle {oracle / full:.2f})",
        _way(_mean(best.found), learner, oracle), f"{best.better} of {len(result.topics)}",
        _p(best.p),
    ]


def _way(best: float, learner: float, oracle: float) -> str:
    """How far the learner comes from the best published strategy to the oracle."""
    if best >= oracle:
        return "no room"
    share = (learner - best) / (oracle - best)
    return "beyond it" if share > 1 else f"{round(100 * share)} %"


def _said(
    results: Sequence[WebResult], chosen: Chosen, tests: Mapping[str, Mapping[str, _Row]]
) -> str:
    """What these figures come to, in sentences."""
    return "\n".join([
        f"- {_leading(results, chosen, tests)}", f"- {_shown(results, tests)}",
        f"- {_with_room(results, chosen)}",
    ])


def _leading(
    results: Sequence[WebResult], chosen: Chosen, tests: Mapping[str, Mapping[str, _Row]]
) -> str:
    ahead = [each.web for each in results
             if _mean(chosen.held_out(each)) > _mean(_best_published(tests[each.web]).found)]
    return (f"The learner finds more than the best published strategy on {len(ahead)} of"
            f" {len(results)} webs{_named(ahead)}.")


def _shown(results: Sequence[WebResult], tests: Mapping[str, Mapping[str, _Row]]) -> str:
    counts = ", ".join(
        f"{each.web} {sum(row.shown for row in published)} of {len(published)}"
        for each in results if (published := _published(tests[each.web].values())))
    every = [each.web for each in results
             if all(row.shown for row in _published(tests[each.web].values()))]
    return (f"It is shown to be better than so many of the published crawlers: {counts}; than all"
            f" of them on {len(every)} of {len(results)} webs{_named(every)}.")


def _with_room(results: Sequence[WebResult], chosen: Chosen) -> str:
    with_room, reached = [], []
    for each in results:
        full = _mean(each.crawlers[FULL_PAGE])
        if _mean(each.crawlers[ORACLE]) >= ROOM * full:
            with_room.append(each.web)
            if _mean(chosen.held_out(each)) >= 1.2 * full:
                reached.append(each.web)
    return (f"Where the oracle finds {ROOM} times as much as Full Page or more{_named(with_room)},"
            f" the learner finds 1.2 times as much on {len(reached)} of {len(with_room)}"
            f"{_named(reached)}.")


def _named(webs: Sequence[str]) -> str:
    return f" ({', '.join(webs)})" if webs else ""


def _strategies(
    results: Sequence[WebResult], chosen: Chosen, tests: Mapping[str, Mapping[str, _Row]]
) -> str:
    """Recall of every crawler on every web, best first by their mean."""
    names = dict.fromkeys(name for result in results for name in tests[result.web])
    order = sorted(names, key=lambda name: -_overall(name, results))
    rows = [[f"**{LEARNER}**, weights held out",
             *(f"**{_mean(chosen.held_out(each)):.3f}**" for each in results)]]
    rows += [[name, *(_cell(tests[each.web].get(name)) for each in results)] for name in order]
    note = ("The difference to the learner stands in brackets where it is significant; best first"
            f" by recall as a share of the oracle's. {NOTHING}: not run, or the topics lack what it"
            " needs.")
    return f"{note}\n\n{table(['', *(each.web for each in results)], rows)}"


def _overall(name: str, results: Sequence[WebResult]) -> float:
    shares = [_mean(each.crawlers[name]) / _mean(each.crawlers[ORACLE]) for each in results
              if name in each.crawlers]
    return sum(shares) / len(shares)


def _cell(row: _Row | None) -> str:
    if row is None:
        return NOTHING
    is_significant = row.p is not None and row.p < LEVEL
    return f"{_mean(row.found):.3f}" + (f" ({signed(-row.gain, 3)})" if is_significant else "")


def _weights(plan: Plan, results: Sequence[WebResult], chosen: Chosen) -> Iterator[str]:
    yield ("Recall as a share of the oracle's. A star marks the candidate that a web is measured"
           " with, the best on the other webs; the last column is the mean over all webs.")
    rows, means = [], {}
    for place, each in enumerate(plan.candidates):
        shares = [chosen.shares[result.web][place] for result in results]
        cells = [f"{share:.3f}" + ("\\*" if chosen.without[result.web] == each.name else "")
                 for result, share in zip(results, shares, strict=True)]
        means[each.name] = sum(shares) / len(shares)
        rows.append([each.name, _weights_words(each), *cells, f"{means[each.name]:.3f}"])
    yield table(["candidate", "weights", *(each.web for each in results), "mean"], rows)
    own = Weighting(name=LEARNER)
    start = f"The learner starts with {_weights_words(own)}"
    started = next((each.name for each in plan.candidates
                    if each.all_weights() == own.all_weights()), chosen.best)
    if started != chosen.best:
        behind = means[chosen.best] - means[started]
        start += f": *{started}*, {behind:.3f} behind it, which was best when it was chosen"
    yield f"Over all webs *{chosen.best}* is best. {start}."


def _weights_words(weighting: Weighting) -> str:
    said = ", ".join(f"{part} {weight:g}" for part, weight in weighting.all_weights().items())
    usual = Weighting.model_fields["hold"].default
    return said if weighting.hold == usual else f"{said}; hold {weighting.hold:g}"


def _ablations(plan: Plan, results: Sequence[WebResult]) -> Iterator[str]:
    """The learner as it is, and without one thing each, where that was run."""
    whole = _as_it_is(plan)
    run = [each for each in results if each.of_kind("ablation")]
    if not run:
        return
    rows = [["the learner as it is", *(_of(each, whole) for each in run)]]
    rows += [[ablation.name, *(_without(each, whole, ablation.name) for each in run)]
             for ablation in plan.ablations]
    yield "## What each part gives"
    note = ("Recall, and in brackets how it differs from that of the learner as it is where a"
            " paired t-test over topics gives p < .05, without correction.")
    yield f"{note}\n\n{table(['', *(each.web for each in run)], rows)}"


def _as_it_is(plan: Plan) -> str:
    """The candidate with the weights that the learner has."""
    learner = Weighting(name=LEARNER)
    return next((each.name for each in plan.candidates
                 if _weights_words(each) == _weights_words(learner)), "")


def _without(result: WebResult, whole: str, name: str) -> str:
    if name not in result.crawlers or whole not in result.crawlers:
        return NOTHING
    test = paired_t_test(result.crawlers[name].recall, result.crawlers[whole].recall)
    said = _of(result, name)
    if test.p is None or test.p >= LEVEL or test.difference is None:
        return said
    return f"{said} ({signed(test.difference, 3)})"


def _runs(results: Sequence[WebResult]) -> str:
    lines = "\n".join(result.command for result in results)
    sizes = "; ".join(
        f"{each.web}: {len(each.topics)} topics of {min(each.targets)} to {max(each.targets)}"
        " targets" for each in results)
    return f"```\n{lines}\n```\n\n{sizes}."


def _of(result: WebResult, name: str) -> str:
    return f"{_mean(result.crawlers[name]):.3f}" if name in result.crawlers else NOTHING


def _mean(found: Found) -> float:
    return float(found.values.mean())


def _p(p: float | None) -> str:
    if p is None:
        return NOTHING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"

"""What labels are worth, and topics of few examples, in docs/effectiveness.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from apps.engine.evaluation.significance import holm, paired_t_test, wins
from apps.experiments.effectiveness.label_result import Labelled, LabelResult, Setting
from apps.experiments.effectiveness.labelling import (
    BREADTH_FIRST,
    CHANGE,
    EVERY_PAGE,
    NO_LABELS,
    PROPOSED,
    RANDOM,
    SETTINGS,
)
from apps.experiments.markdown import table
from apps.experiments.paired_tests import LEVEL
from apps.figures.quantities import NOTHING, p_value, signed
from apps.topics.inputs.sampled_negatives import MOST

KEYWORDS = """\
**Keywords as a text**, by recall with 3 positives and without labels, against none, over 12
topics a web (webkb 7; two crawls of each on cora, webkb and wikispeedia), mean difference of ln
recall ± its standard error: cora +.062 ± .052, wikispeedia +.057 ± .029, portals +.037 ± .014,
encyclopaedia +.009 ± .007, many-hosts .000 ± .010, notices .000 ± .019, webkb, whose labels are
kinds of pages such as “other” and “staff”, −.069 ± .108; the made webs with other seeds. A weight
of 3 gives +.022, +.031 and −.084 on cora, wikispeedia and webkb. Three hundred drawn texts
instead of a hundred: +.020 ± .028 on cora, +.003 ± .009 on wikispeedia; thirty, or a weight of .1
instead of .5, find less on two webs of three."""
Counts = Callable[[Labelled], Sequence[float]]

METHOD = f"""\
A simulated person, who knows the truth, labels pages of a crawl by the learner; the rest of the
crawl is then compared with that of the same crawler without labels. **Proposed** are the pages that
the live page proposes: by the crawler's own chance of a page times ln(1 + its waiting links).
**Unsure first** takes the chances nearest to a half, **random** any; in one row one label in ten
is wrong. A label counts at once for the links beside its page, and then the models are trained
again. A topic's own examples are not labelled again; of a judge nothing is seen. Topics with many
targets weigh most in these sums: look at how many topics are better and worse, too.

One link more or less may lead a crawl elsewhere for good: five crawls of webkb without labels that
differ by normal noise of standard deviation {CHANGE} in the log-odds of links from page 100 on
found 589 to 697 targets from there, and 694 without noise. So few topics and one crawl of each
prove little. With `--repeats N` a topic's figure is a mean over N crawls, which differ by such
noise, the same in all rows.

**Every page** is no way to label but a ceiling: from then on the crawler counts every fetched page
as the truth says, those that it fetches later as well, and trains no model again. What labels can
give by what they say of pages, beside the words that they teach, is about that.

**What was tried.** On portals, a made web, 30 proposed labels cost 12 % of the targets. Parts were
taken away one by one: labels that count but train nothing change 0 %, models trained again on the
same examples 0 %, on the pages with no +1 %, on those with yes −10 %. The cause was the background,
which was trained with the labelled pages: these made the topic's own words seem usual. Left as it
was, labels change 0 % there, but on notices, whose texts are short, +3 % instead of +17 %: the
pages also tell which words go together. So they count for that now, and no longer for how rare
words are: −3 % on portals, +14 % on notices (made webs without a table here), and below what the
tables say. On these three webs the change is within noise. Portals, notices, many-hosts, cora and
webkb were looked at while choosing, wikispeedia was not; on portals of seed 13, looked at once,
labels cost 5 % before and 3 % with an earlier form of it. Full weights for pages with no, links of
labelled pages read by the models before, and labelled pages' new words left out brought no more
over these webs.

What a label makes of the learner's own judgement of the page was looked at in two crawls of each of
39 topics of cora, notices, portals, webkb and wikispeedia, with other seeds of the made webs and
the noise of above. A label that adds 2 to its log-odds, or takes 2 from them, instead of making it
.95 or .05, finds more on each of the five webs, by a mean of +.009 to +.038 in ln of the targets
from page 100 on, +.027 ± .015 over all (p = .08), and still only +.037 ± .026 more than no labels.
The runs of the tables below, as a mean over their four ways to label, do not confirm it: +.016 ±
.020 on their 23 topics, −.008 ± .011 on weak ones. So labels count as before. Models trained again
alone, without labels that count at once, give +.028 ± .024 more than no labels, labels as they are
+.011 ± .023 (39 topics).

There is little to gain, too: a crawler that sees from page 100 on which links lead to relevant
pages, and is the learner otherwise, finds 1.11 × as much from there on cora, 1.24 on wikispeedia,
1.19 on portals and 1.01 on webkb, in one crawl of each topic.

The rule of what is proposed was chosen, out of five, on ten of Cora's topics with three examples,
before labels counted at once: for it Cora is no independent test.

```
manage.py effectiveness --web NAME --labels --topics 8 --save docs/effectiveness
```"""


def label_sections(results: Sequence[LabelResult]) -> Iterator[str]:
    """The sections, or nothing without results."""
    if not results:
        return
    yield "## Labels"
    yield METHOD
    yield from _section(results, "full")
    yield "## Weak topics"
    yield from _section(results, "weak")


def _section(results: Sequence[LabelResult], name: str) -> Iterator[str]:
    setting = SETTINGS[name]
    run = [each for each in results if name in each.settings]
    if not run:
        return
    yield _introduction(setting, run[0].pages)
    yield from _repeated(run)
    yield _after(run, name)
    if setting.positives is not None:
        yield _against_breadth_first(run, name)
    yield _said(run, name)


def _introduction(setting: Setting, pages: int) -> str:
    given = f"{setting.labels} labels at page {setting.at}, of {pages:,} pages."
    if setting.positives is None:
        return f"{given} Targets found from there on, mean over topics; all examples are given."
    return (
        f"The same with {setting.positives} positive examples, which are the seeds as well, the"
        " keywords, which are the label's words, as one more text on the topic, and no negative:"
        f" {MOST} texts drawn at random from the background stand in for them. {given}\n\n"
        f"{KEYWORDS}"
    )


def _repeated(run: Sequence[LabelResult]) -> Iterator[str]:
    if several := [f"{each.web} {each.repeats}" for each in run if each.repeats > 1]:
        yield f"Each topic was crawled several times: {', '.join(several)}."


def _arms(run: Sequence[LabelResult], name: str) -> Sequence[str]:
    """The arms that all webs have, in their order."""
    first, *others = (each.settings[name].arms for each in run)
    return [arm for arm in first if all(arm in other for other in others)]


def _after(run: Sequence[LabelResult], name: str) -> str:
    arms = [arm for arm in _arms(run, name) if arm != BREADTH_FIRST]
    others = [arm for arm in arms if arm != NO_LABELS]
    tests = _corrected(run, name, others, NO_LABELS, _of_after)
    rows = [
        [arm, *(_cell(each, name, arm) for each in run), *_all(run, name, arm, tests)]
        for arm in arms
    ]
    head = ["", *(f"{each.web} ({len(each.topics)} topics)" for each in run), "all, × no labels",
            "better, worse on topics", "p after Holm", "labels that say yes"]
    return table(head, rows)


def _cell(each: LabelResult, name: str, arm: str) -> str:
    found, base = (_mean(each.settings[name].arms[which].after) for which in (arm, NO_LABELS))
    ratio = f" (× {found / base:.2f})" if arm != NO_LABELS and base else ""
    return f"{found:.2f}{ratio}"


def _all(
    run: Sequence[LabelResult], name: str, arm: str, tests: dict[str, float]
) -> Sequence[str]:
    if arm == NO_LABELS:
        return ["1", NOTHING, NOTHING, NOTHING]
    mine, base = (_pooled(run, name, which, _of_after) for which in (arm, NO_LABELS))
    yes = _pooled(run, name, arm, lambda found: found.positives)
    better, worse = wins(mine, base)
    p = _p(tests[arm]) if arm in tests else NOTHING
    ratio = f"{sum(mine) / max(sum(base), 1):.3f}"
    return [ratio, f"{better}, {worse}", p, f"{_mean(yes):.1f}"]


def _against_breadth_first(run: Sequence[LabelResult], name: str) -> str:
    arms = [arm for arm in _arms(run, name) if arm != BREADTH_FIRST]
    tests = _corrected(run, name, arms, BREADTH_FIRST, _of_found)
    rows = []
    for arm in arms:
        ratios = [_ratio(each, name, arm) for each in run]
        pooled, base = (_pooled(run, name, which, _of_found) for which in (arm, BREADTH_FIRST))
        rows.append([arm, *ratios, f"{sum(pooled) / max(sum(base), 1):.2f}", _p(tests[arm])])
    head = ["targets found in all, × breadth-first", *(each.web for each in run), "all",
            "p after Holm"]
    return table(head, rows)


def _ratio(each: LabelResult, name: str, arm: str) -> str:
    mine, base = (_mean(each.settings[name].arms[a].found) for a in (arm, BREADTH_FIRST))
    return f"{mine / base:.2f}" if base else NOTHING


def _said(run: Sequence[LabelResult], name: str) -> str:
    """Whether the labels that the product proposes pay, in a sentence."""
    others = [arm for arm in _arms(run, name) if arm not in (NO_LABELS, BREADTH_FIRST)]
    tests = _corrected(run, name, others, NO_LABELS, _of_after)
    mine, base = (_pooled(run, name, arm, _of_after) for arm in (PROPOSED, NO_LABELS))
    gain = sum(mine) / max(sum(base), 1) - 1
    shown = "significant" if tests[PROPOSED] < LEVEL else "not significant"
    than_random = None
    if RANDOM in others:
        than_random = paired_t_test(mine, _pooled(run, name, RANDOM, _of_after)).p
    against = "" if than_random is None else f" ({p_value(than_random)} against random labels)"
    most = sum(_pooled(run, name, EVERY_PAGE, _of_after)) / max(sum(base), 1) - 1
    return (f"Proposed labels change what is found by {signed(100 * gain, 1)} %, {shown} after"
            f" Holm{against}; the truth of every page by {signed(100 * most, 1)} %.")


def _corrected(
    run: Sequence[LabelResult], name: str, arms: Sequence[str], base: str, counts: Counts
) -> dict[str, float]:
    """The p-values of paired t-tests over all topics against the base, after Holm."""
    against = _pooled(run, name, base, counts)
    raw = [paired_t_test(_pooled(run, name, arm, counts), against).p for arm in arms]
    return dict(zip(arms, holm([1.0 if p is None else p for p in raw]), strict=True))


def _pooled(
    run: Sequence[LabelResult], name: str, arm: str, counts: Counts
) -> Sequence[float]:
    found = (counts(each.settings[name].arms[arm]) for each in run)
    return [float(value) for value in chain.from_iterable(found)]


def _of_after(found: Labelled) -> Sequence[float]:
    return found.after


def _of_found(found: Labelled) -> Sequence[float]:
    return found.found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"

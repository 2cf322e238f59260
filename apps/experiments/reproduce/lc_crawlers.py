"""LC's crawlers over topics: harvest rate and target recall, and its classifiers (LC §7, §9).

Topics are a web's labels with 40 pages or more: 20 seeds that are the positive examples, twice as
many negatives, all other pages are targets. The judges are LC's: three classifiers that learn from
the whole relevant set. **Choice**: from at most 200 of its pages.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from apps.directories.splits import rule
from apps.engine.evaluation.significance import Estimate, estimate
from apps.engine.intelligence.classifiers import KINDS, TextClassifier
from apps.engine.intelligence.quality import assess
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.tag_tree_combo import TagTreeCombo
from apps.engine.intelligence.strategies.text_window import TextWindow
from apps.engine.intelligence.strategies.text_window_combo import TextWindowCombo
from apps.engine.intelligence.topic_model import TopicModel
from apps.experiments.reproduce.directory_protocol import (
    Course,
    crawl,
    judge_of,
    pages_of,
    topics,
)
from apps.experiments.reproduce.hcla_protocol import RANDOM_SEED
from apps.experiments.reproduce.options import Options, Say
from apps.experiments.reproduce.parted_web import PartedWeb
from apps.experiments.reproduce.topic_means import Mean, chance, means, written

BASELINE = "full_page"
CRAWLERS: Mapping[str, Callable[[], Strategy]] = {
    BASELINE: FullPage,
    "full_page_nb": lambda: FullPage(classifier="nb"),
    "full_page_nn": lambda: FullPage(classifier="nn"),
    **{f"text_window_{t}": (lambda t=t: TextWindow(window=t)) for t in (10, 20, 40)},
    **{f"text_window_combo_{t}": (lambda t=t: TextWindowCombo(window=t)) for t in (10, 20, 40)},
    "tag_tree_combo": TagTreeCombo,
}
PUBLISHED = {"svm": (85.23, 0.518), "nb": (None, 0.310), "nn": (None, 56.637)}
"""Cross-validated accuracy in per cent and seconds of training, by classifier (LC §7)."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A classifier over topics: five-fold accuracy, and CPU seconds of training, including the
    models of the five folds."""

    kind: str
    accuracy: Estimate
    seconds: Estimate


@dataclass(frozen=True, slots=True)
class LcCrawlers:
    """All figures of one web: p-values are one-tailed and paired, against Full Page (SVM)."""

    web: str
    topics: tuple[str, ...]
    learners: tuple[Learner, ...]
    harvest: tuple[Mean, ...]
    recall: tuple[Mean, ...]

    def as_dict(self) -> dict[str, Any]:
        return {"table": "lc-crawlers", "published": PUBLISHED, **asdict(self)}

    def text(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{len(self.topics)} topics: {', '.join(self.topics)}"
        yield ""
        yield f"{'classifier':22}{'accuracy':16}seconds of training"
        for each in self.learners:
            yield f"{each.kind:22}{written(each.accuracy):16}{written(each.seconds)}"
        yield ""
        yield f"{'crawler':22}{'harvest rate':16}{'p':8}{'Holm':8}{'target recall':16}{'p':8}Holm"
        for harvest, recall in zip(self.harvest, self.recall, strict=True):
            yield f"{harvest.crawler:22}" + "".join(
                f"{written(mean.end):16}{chance(mean.p):8}{chance(mean.holm):8}"
                for mean in (harvest, recall))


def reproduce(web: PartedWeb, options: Options, say: Say) -> LcCrawlers:
    """Crawls every topic with every crawler; raises BadWebFile if the web has fewer than two
    topics."""
    chosen = {n: make for n, make in CRAWLERS.items()
              if not options.crawlers or n in {BASELINE, *options.crawlers}}
    courses: list[Course] = []
    accuracies: dict[str, list[float]] = {kind: [] for kind in KINDS}
    seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    given = topics(web, rule("lc"), options)
    for each in given:
        model = TopicModel(each.topic, seed=RANDOM_SEED)
        for quality in assess(model).models:
            accuracies[quality.kind].append(quality.accuracy.mean)
            seconds[quality.kind].append(_training_seconds(model, quality.kind))
        judge = judge_of(each, model, "lc")
        for name, make in chosen.items():
            say(f"{each.name}: {name}")
            courses.append(crawl(web, each, model, name, make(), judge, pages_of(options), {}))
    return LcCrawlers(
        options.web_name, tuple(each.name for each in given),
        tuple(Learner(kind, estimate(accuracies[kind]), estimate(seconds[kind]))
              for kind in KINDS),
        means(courses, "harvest_rate", BASELINE, "greater"),
        means(courses, "target_recall", BASELINE, "greater"),
    )


def _training_seconds(model: TopicModel, kind: Any) -> float:
    began = time.process_time()
    TextClassifier(kind, seed=RANDOM_SEED).fit(model.rows(), model.labels())
    return time.process_time() - began

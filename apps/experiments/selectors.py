"""Which experiments a person may see and change, and which topics an experiment can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Avg, Q, QuerySet, Sum

from apps.accounts.sharing import shared_with
from apps.engine.intelligence.classifying.classifiers import LEAST_EXAMPLES
from apps.experiments.cells.queueing import at_once
from apps.experiments.design.schema import Design
from apps.experiments.design.variants import Variant, variants
from apps.experiments.models import Cell, Experiment
from apps.schemas.refused import Refused
from apps.topics.inputs import sampled_negatives
from apps.topics.models import Example, Seed, Target, Topic
from apps.topics.selectors import count_rows, visible_topics
from apps.webs.models import Web
from apps.webs.selectors import live_web, visible_webs

LEAST_TARGETS = 5
LEAST_F1 = 0.7
# The pages that a topic's classifier learns from.
LEARNT_FROM = Q(fetch=Example.Fetch.FETCHED, left_out=False, role=Example.Role.TRAIN)


def visible_experiments(user: User) -> QuerySet[Experiment]:
    """A person's own experiments and those shared with them, newest first."""
    shared = Q(pk__in=shared_with(Experiment, user))
    return _experiments(Q(owner=user) | shared)


def editable_experiments(user: User) -> QuerySet[Experiment]:
    """The experiments that a person may pause, extend and rename."""
    shared = Q(pk__in=shared_with(Experiment, user, to_edit=True))
    return _experiments(Q(owner=user) | shared)


def owned_experiments(user: User) -> QuerySet[Experiment]:
    """The experiments that a person may delete and share."""
    return _experiments(Q(owner=user))


def _experiments(which: Q) -> QuerySet[Experiment]:
    rows = Experiment.objects.filter(which).select_related("web", "owner")
    return rows.prefetch_related("shares")


def web_named(user: User, name: str) -> Web:
    """The web of a design. Raises Refused at `web`."""
    if name == "live":
        return live_web()
    web = visible_webs(user).filter(name=name).exclude(source=Web.Source.LIVE).first()
    if web is None:
        raise Refused(
            "web", f"There is no web {name[:100]}: give the name of a recorded web, or live."
        )
    return web


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """A topic that may be part of an experiment on a web.

    `f1` is its classifier's cross-validated quality, None before it was trained. `problem` is why
    it cannot be part of one, `warning` what would make its results weak; both may be empty.
    """

    topic: Topic
    seeds: int
    examples: int
    targets: int
    f1: float | None
    problem: str = ""
    warning: str = ""


def topics_on(user: User, web: Web) -> QuerySet[Topic]:
    """The topics on a web that a person may see, by name."""
    of_web = Q(web=web) if web.is_recorded else Q(web=None) | Q(web__source=Web.Source.LIVE)
    return visible_topics(user).filter(of_web).order_by("name")


def ready_topics(user: User, web: Web) -> list[TopicChoice]:
    """The person's topics on a web, by name, with those that are not ready."""
    topics = topics_on(user, web).annotate(
        seed_count=count_rows(Seed.objects.all()),
        positive_count=count_rows(Example.objects.filter(LEARNT_FROM, relevant=True)),
        negative_count=count_rows(Example.objects.filter(LEARNT_FROM, relevant=False)),
        target_count=count_rows(Target.objects.all()),
    )
    return [_choice(topic) for topic in topics]


def unready(topic: Topic) -> str:
    """Why a topic cannot be crawled now, as a sentence, or empty."""
    learnt_from = topic.examples.filter(LEARNT_FROM)
    positives, negatives = (learnt_from.filter(relevant=side).count() for side in (True, False))
    return _problem(topic, topic.seeds.count(), positives, negatives)


def _problem(topic: Topic, seeds: int, positives: int, negatives: int) -> str:
    if topic.is_under_way:
        return "Its examples are being prepared."
    if not seeds:
        return "It has no seeds."
    if failure := (topic.quality or {}).get("failure"):
        return f"Its classifier could not be trained: {failure.rstrip('.')}."
    if not positives + negatives:
        return "" if topic.keywords else "It has neither examples nor keywords."
    if min(positives, negatives) < LEAST_EXAMPLES and not sampled_negatives.are_wanted(topic):
        return (
            f"{LEAST_EXAMPLES} positive and {LEAST_EXAMPLES} negative examples train a "
            f"classifier; it has {positives} and {negatives}."
        )
    return ""


def _choice(topic: Any) -> TopicChoice:
    """A topic with `seed_count`, `positive_count`, `negative_count` and `target_count`."""
    seeds, targets = topic.seed_count, topic.target_count
    positives, negatives = topic.positive_count, topic.negative_count
    problem = _problem(topic, seeds, positives, negatives)
    f1 = _f1(topic.quality or {})
    examples = positives + negatives
    return TopicChoice(
        topic, seeds, examples, targets, f1, problem, _warning(topic, examples, targets, f1)
    )


def _warning(topic: Topic, examples: int, targets: int, f1: float | None) -> str:
    if not examples:
        return "It has no examples: the cells of strategies that need a classifier fail."
    if targets < LEAST_TARGETS and not topic.web_label:
        if not targets:
            return "It has no targets, so recall is not measured."
        are = "target is" if targets == 1 else "targets are"
        return f"{targets} {are} few to measure recall with."
    if f1 is not None and f1 < LEAST_F1:
        return f"Its classifier is weak (F1 {f1:.2f}): add examples."
    return ""


def _f1(quality: dict[str, object]) -> float | None:
    models = quality.get("models")
    if not isinstance(models, list) or not models:
        return None
    score = models[0].get("f1")
    value = score.get("mean") if isinstance(score, dict) else score
    return float(value) if isinstance(value, int | float) else None


@dataclass(frozen=True, slots=True)
class ExperimentCost:
    """The estimated cost of an experiment, by earlier cells on the same web: seconds until its end
    with the present workers, seconds of processor time, bytes on disk. `exact` is whether every
    strategy has been measured on that web."""

    cells: int
    pages: int
    seconds: float
    cpu_seconds: float
    bytes: int
    exact: bool


BYTES_A_PAGE = 40


def cpu_a_page(web: Web) -> dict[str, float]:
    """Seconds of processor time a page, by strategy, over all cells that have ended on a web."""
    measured = (
        _done_on(web)
        .values("crawler__strategy")
        .order_by()
        .annotate(
            spent=Sum("cpu_seconds"),
            fetched=Sum("pages"),
        )
    )
    return {row["crawler__strategy"]: row["spent"] / row["fetched"] for row in measured}


def _done_on(web: Web) -> QuerySet[Cell]:
    return Cell.objects.filter(experiment__web=web, job_state=Cell.State.DONE, pages__gt=0)


@dataclass(frozen=True, slots=True)
class Speed:
    """The cost of cells on a web: seconds of processor time per page by strategy, and wall-clock
    seconds per second of processor time."""

    web: Web
    cpu_a_page: Mapping[str, float]
    stretch: float


def speed_on(web: Web) -> Speed | None:
    """The speed of the cells that have ended on a web; None without any."""
    a_page = cpu_a_page(web)
    if not a_page:
        return None
    slower = _done_on(web).aggregate(wall=Avg("seconds"), cpu=Avg("cpu_seconds"))
    return Speed(web, a_page, max(1.0, slower["wall"] / slower["cpu"]) if slower["cpu"] else 1.0)


def cost_of(design: Design, web: Web) -> ExperimentCost | None:
    """The cost of a design, or None if no cell has been run on that web yet. Raises Refused."""
    speed = speed_on(web)
    return cost_at(speed, design) if speed else None


def cost_at(speed: Speed, design: Design) -> ExperimentCost:
    """The cost of a design at a speed. Raises Refused."""
    crawlers, topics, a_page = variants(design), len(design.topics), speed.cpu_a_page
    usual = sum(a_page.values()) / len(a_page)
    a_topic = sum(a_page.get(each.strategy, usual) for each in crawlers)
    cells = topics * len(crawlers) * design.repetitions
    cpu = a_topic * design.pages * topics * design.repetitions
    probe = Experiment(web=speed.web, design=design.model_dump(mode="json"))
    return ExperimentCost(
        cells,
        cells * design.pages,
        cpu * speed.stretch / at_once(probe),
        cpu,
        cells * design.pages * BYTES_A_PAGE,
        _all_measured(crawlers, a_page),
    )


def _all_measured(crawlers: tuple[Variant, ...], measured: Mapping[str, float]) -> bool:
    return all(each.strategy in measured for each in crawlers)

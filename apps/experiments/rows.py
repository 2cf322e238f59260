"""The rows of an experiment: its topics, its crawlers, and a cell for each pair."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from apps.experiments.design.labels import crawler_labels
from apps.experiments.design.schema import MOST_CELLS, Design
from apps.experiments.design.variants import Variant
from apps.experiments.models import Cell, Experiment, ExperimentCrawler, ExperimentTopic
from apps.experiments.selectors import topics_on
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from apps.webs.models import Web


def topics_named(owner: User, web: Web, names: Sequence[str]) -> list[Topic]:
    """The topics of these names, in their order. Raises Refused."""
    here = {topic.name: topic for topic in topics_on(owner, web)}
    for name in names:
        if name not in here:
            raise Refused("topics", f"There is no topic {name[:100]} on this web.")
    return [here[name] for name in dict.fromkeys(names)]


def check_size(design: Design, topics: int, crawlers: int) -> None:
    """Raises Refused for too many cells."""
    cells = topics * crawlers * design.repetitions
    if cells > MOST_CELLS:
        raise Refused("topics", f"These are {cells:,} cells; {MOST_CELLS:,} are the most.")


def add_rows(experiment: Experiment, topics: Sequence[Topic], crawlers: Sequence[Variant]) -> None:
    """Adds rows for topics and crawlers, and a cell for each new pair and repetition."""
    _add_crawlers(experiment, crawlers)
    ExperimentTopic.objects.bulk_create(
        ExperimentTopic(
            experiment=experiment,
            topic=topic,
            name=topic.name,
            position=position,
            targets=topic.targets.count(),
        )
        for position, topic in enumerate(topics, experiment.topics.count())
    )
    design = Design.read(experiment.design)
    existing = set(experiment.cells.values_list("topic_id", "crawler_id"))
    Cell.objects.bulk_create(
        Cell(
            experiment=experiment,
            topic=topic,
            crawler=crawler,
            repetition=repetition,
            random_seed=design.random_seed + repetition - 1,
        )
        for topic in experiment.topics.only("pk")
        for repetition in range(1, design.repetitions + 1)
        for crawler in experiment.crawlers.all()
        if (topic.pk, crawler.pk) not in existing
    )


def _add_crawlers(experiment: Experiment, crawlers: Sequence[Variant]) -> None:
    rows = list(experiment.crawlers.all())
    rows += [
        ExperimentCrawler(
            experiment=experiment,
            position=position,
            strategy=each.strategy,
            parameters=dict(each.parameters),
            parent_policy=each.parent_policy,
        )
        for position, each in enumerate(crawlers, len(rows))
    ]
    for row, label in zip(rows, crawler_labels(rows), strict=True):
        row.label = label
        row.save()

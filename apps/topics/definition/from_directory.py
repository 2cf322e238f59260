"""Making topics from a directory's categories, hundreds in one action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction

from apps.accounts import quotas
from apps.directories.models import Directory, DirectoryTopic
from apps.directories.schemas import CategoryChoice
from apps.directories.selectors import candidates, urls_of
from apps.directories.splits import Split, split
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.models import Example, Seed, Target, TargetPage, Topic
from apps.topics.sampling import seed_of
from apps.webs.selectors import recorded_webs

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Made:
    """The topics made, and the categories that had too few pages."""

    topics: tuple[Topic, ...]
    too_few: tuple[str, ...]


def make_topics(
    owner: User, directory: Directory, wanted: CategoryChoice, fetch: bool = True
) -> Made:
    """Makes a topic of every wanted category, all in one transaction.

    The description names the seed that split the category. Negatives are drawn with the topic's own
    seed from all the topics made, once these have their examples (LC §5). With `fetch` the pages
    are fetched in the background, those of the targets too, since LC's judges learn from them (LC
    §6). Raises Refused for a web that the person may not crawl.
    """
    if wanted.web and not recorded_webs(owner).filter(pk=wanted.web).exists():
        raise Refused("web", f"There is no recorded web {wanted.web} here.")
    with transaction.atomic():
        splits, too_few = _splits(directory, wanted)
        taken = set(Topic.objects.filter(owner=owner).values_list("name", flat=True))
        batch = uuid4().hex
        rows = Topic.objects.filter(owner=owner)
        quotas.TOPICS.check(rows, len(splits), Refused, "directory")
        topics = Topic.objects.bulk_create(
            _topic(owner, directory, category, wanted, taken, batch) for category, _ in splits
        )
        _write_parts(list(zip(topics, (parts for _, parts in splits), strict=True)))
        if fetch:
            queue.enqueue_all(topics, work_wanted=Topic.Work.FETCHING)
    return Made(tuple(topics), too_few)


def _splits(
    directory: Directory, wanted: CategoryChoice
) -> tuple[list[tuple[DirectoryTopic, Split]], tuple[str, ...]]:
    """The parts of each category, and the paths with too few URLs; a subtree may list a URL
    twice."""
    splits, too_few = [], []
    categories = candidates(directory, wanted)
    urls = urls_of(directory, categories, wanted)
    for category in categories:
        try:
            parts = split(urls[category.path], wanted.how, wanted.parts, wanted.seed)
            splits.append((category, parts))
        except ValueError:
            too_few.append(category.path)
    return splits, tuple(too_few)


def _topic(
    owner: User,
    directory: Directory,
    category: DirectoryTopic,
    wanted: CategoryChoice,
    taken: set[str],
    batch: str,
) -> Topic:
    rule = wanted.how
    parts = rule.sentence.format(size=wanted.parts)
    return Topic(
        owner=owner,
        name=_free_name(category.path, taken),
        description=f"{category.path} in {directory.name}; {rule.paper}, random seed"
        f" {wanted.seed}: {parts}",
        keywords=_keywords(category.path),
        negatives_per_positive=rule.negatives_per_positive,
        random_seed=seed_of(wanted.seed, category.path),
        batch=batch,
        web_id=wanted.web,
        category=category,
    )


def _keywords(path: str) -> list[str]:
    """The last two names of the path; a category's name often needs its parent's."""
    return [name.replace("_", " ") for name in path.split("/")[-2:]]


def _free_name(path: str, taken: set[str]) -> str:
    """The path, or its end if it is too long, with a number if the name is taken."""
    name, number = path[-LONGEST_NAME:], 1
    while name in taken:
        number += 1
        name = f"{path[-(LONGEST_NAME - 8) :]} ({number})"
    taken.add(name)
    return name


def _write_parts(pairs: Sequence[tuple[Topic, Split]]) -> None:
    Seed.objects.bulk_create(
        (
            Seed(topic=topic, url=url, position=i)
            for topic, parts in pairs
            for i, url in enumerate(parts.seeds)
        ),
        batch_size=5_000,
    )
    Target.objects.bulk_create(
        (Target(topic=topic, url=url) for topic, parts in pairs for url in parts.targets),
        batch_size=5_000,
    )
    TargetPage.objects.bulk_create(
        (TargetPage(topic=topic, url=url) for topic, parts in pairs for url in parts.targets),
        batch_size=5_000,
    )
    train, judge = Example.Role.TRAIN, Example.Role.EVALUATE
    Example.objects.bulk_create(
        (
            Example(topic=topic, url=url, relevant=True, role=role)
            for topic, parts in pairs
            for role, urls in ((train, parts.positives), (judge, parts.evaluation))
            for url in urls
        ),
        batch_size=5_000,
    )

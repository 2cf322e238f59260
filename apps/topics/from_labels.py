"""Topics of a recorded web's labels: a label's pages are divided as papers divide a category."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from django.contrib.auth.models import User
from django.db import transaction
from pydantic import Field

from apps.directories.splits import Protocol, Rule, Split, drawn_order, rule, split
from apps.engine.parsing.words import words
from apps.jobs import queue
from apps.schemas.input import Input
from apps.schemas.refused import Refused
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.webs.labels import label_counts
from apps.webs.models import Web
from apps.webs.opening import open_web

LARGEST_SHARE = 0.5
"""A label that more of the pages have is no topic: there would be no negatives."""
FEWEST = 20
LONGEST_NAME = 200
MOST_POSITIVES = 300
MOST_TOPICS = 200


@dataclass(frozen=True, slots=True)
class Division:
    """Which labels become topics, and how their pages are divided.

    Labels with `fewest` to `largest` pages are taken. With the rule's scope `subtree` a label is
    the first two names of a path, and has all pages below. Each part that is drawn has `size` URLs,
    but at most half of the pages, or with the rule of AFC all; no topic has more than
    `most_positives`. Negatives are drawn from all other pages of the web or, if `of_labels`, from
    those with other labels. `title` distinguishes its topics from those of another division.
    """

    rule: Rule
    size: int
    fewest: int = FEWEST
    largest: int | None = None
    of_labels: bool = False
    title: str = ""
    most_positives: int | None = None

    def topic_name(self, label: str) -> str:
        """The name of a label's topic."""
        end = f" ({self.title})" if self.title else ""
        return label[-(LONGEST_NAME - len(end)) :] + end

    def category(self, label: str) -> str:
        """The category that a page with the label belongs to."""
        return "/".join(label.split("/")[:2]) if self.rule.scope == "subtree" else label


class LabelTopics(Input):
    """The options for making topics of all labels: the rule of a paper, and the largest number of
    topics, drawn with the seed if there are more labels."""

    rule: Protocol = "lc"
    most: Annotated[int, Field(ge=1, le=MOST_TOPICS)] = MOST_TOPICS
    random_seed: Annotated[int, Field(ge=0, le=2**62)] = 1


LIKE_LC = Division(rule("lc"), rule("lc").size)


def division_like(paper: Protocol) -> Division:
    """How all labels of a web become topics by the rule of a paper: labels of 20 pages or more,
    with parts as large as the paper's where there are enough pages, and at most 300 positives, as
    many as AFC keeps of a class. Topics of other rules than LC's are named after theirs."""
    how = rule(paper)
    title = "" if how.id == "lc" else how.id.upper()
    return Division(how, how.size, title=title, most_positives=MOST_POSITIVES)


def labels_for_topics(web: Web, division: Division = LIKE_LC) -> Mapping[str, Sequence[str]]:
    """The pages of each label that can become a topic, by label; those with most pages first.

    Raises BadWebFile.
    """
    pages = _pages_by_label(web, division)
    most = min(LARGEST_SHARE * (web.pages or 0), division.largest or math.inf)
    fit = {label: urls for label, urls in pages.items() if division.fewest <= len(urls) <= most}
    return dict(sorted(fit.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def count_fitting_labels(web: Web, division: Division = LIKE_LC) -> int:
    """About how many labels can become topics, by their counts alone: a page with two labels of one
    category counts twice. Raises BadWebFile."""
    sizes: Counter[str] = Counter()
    for label, pages in label_counts(web).items():
        sizes[division.category(label)] += pages
    most = min(LARGEST_SHARE * (web.pages or 0), division.largest or math.inf)
    return sum(division.fewest <= pages <= most for pages in sizes.values())


def make_topics_of_labels(
    owner: User,
    web: Web,
    labels: Sequence[str] = (),
    *,
    most: int = 20,
    random_seed: int = 1,
    division: Division = LIKE_LC,
) -> list[Topic]:
    """A topic of each label, or of `most` labels drawn by the seed; one that the owner has already
    under that name stays as it is. A topic whose name another web's has bears the web's name, too.

    Its keywords are the words of the label, the last part of a path. By default half of a label's
    pages, at most 20, are seeds and positive examples, the others targets; twice as many negatives
    are drawn from the other pages. The examples are fetched in the background.
    Raises Refused for a label that cannot become a topic, BadWebFile.
    """
    fit = labels_for_topics(web, division)
    for label in labels:
        if label not in fit:
            most_pages = f"{division.largest or 'half of the web'}"
            raise Refused(
                "labels",
                f"No topic can be made of the label {label[:100]}: it needs"
                f" {division.fewest} pages or more, and not more than {most_pages}.",
            )
    wanted = labels or drawn_order(fit.keys(), random_seed, most)
    lenders = drawn_order(_lenders(web, division), random_seed)
    named = {label: _division_of_name(owner, web, division, label) for label in wanted}
    return [
        _topic(
            owner,
            web,
            how.topic_name(label),
            _definition(web, label, fit[label], lenders, random_seed, how),
        )
        for label, how in named.items()
    ]


def _division_of_name(owner: User, web: Web, division: Division, label: str) -> Division:
    """The division, with the web's name in its title if a topic of another web has the name."""
    namesakes = Topic.objects.filter(owner=owner, name=division.topic_name(label))
    if not namesakes.exclude(web=web).exists():
        return division
    title = ", ".join(filter(None, (division.title, web.name)))
    return replace(division, title=title)


def _lenders(web: Web, division: Division) -> list[str]:
    """The pages that negatives are drawn from."""
    opened = open_web(web)
    return [url for url in opened.urls() if not division.of_labels or opened.labels(url)]


def _topic(owner: User, web: Web, name: str, definition: Definition) -> Topic:
    existing = Topic.objects.filter(owner=owner, name=name, web=web).first()
    if existing is not None:
        return existing
    with transaction.atomic():
        saved = create_topic(owner, definition)
        queue.enqueue(saved.topic, work_wanted=Topic.Work.FETCHING)
    return saved.topic


def _definition(
    web: Web,
    label: str,
    pages: Sequence[str],
    lenders: Sequence[str],
    random_seed: int,
    division: Division,
) -> Definition:
    how, own = division.rule, set(pages)
    size = division.size if how.id == "afc" else min(division.size, len(pages) // 2)
    parts = split(pages, how, size, random_seed)
    parts = replace(parts, positives=parts.positives[: division.most_positives])
    others = [url for url in lenders if url not in own]
    return Definition(
        name=division.topic_name(label),
        keywords=tuple(words(label.rpartition("/")[2])),
        description=f"The label {label} of {web.name}: {len(pages):,} pages divided as in"
        f" {how.paper} by the random seed {random_seed}.",
        web_id=web.pk,
        web_label=label if label_counts(web).get(label) == len(own) else "",
        random_seed=random_seed,
        negatives_per_positive=how.negatives_per_positive,
        lists={name: "\n".join(urls) for name, urls in _lists(parts, how, others).items()},
    )


def _lists(parts: Split, how: Rule, others: Sequence[str]) -> dict[str, Sequence[str]]:
    """The lists of a topic, with the first of `others` as negatives and the next ones for the
    judge."""
    first = how.negatives_per_positive * len(parts.positives)
    judges = how.negatives_per_positive * len(parts.evaluation)
    return {
        "seeds": parts.seeds,
        "positives": parts.positives,
        "targets": parts.targets,
        "negatives": others[:first],
        "evaluation_positives": parts.evaluation,
        "evaluation_negatives": others[first : first + judges],
    }


def _pages_by_label(web: Web, division: Division) -> dict[str, list[str]]:
    """The pages of each category, each once."""
    by_label: dict[str, dict[str, None]] = {}
    for label, url in _labelled(web):
        by_label.setdefault(division.category(label), {})[url] = None
    return {label: [*urls] for label, urls in by_label.items()}


def _labelled(web: Web) -> Iterator[tuple[str, str]]:
    opened = open_web(web)
    for url in opened.urls():
        for label in opened.labels(url):
            yield label, url

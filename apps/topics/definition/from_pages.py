"""The definition of a topic from pages selected in a recorded web, before it is saved."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from apps.directories.splits import drawn_order
from apps.engine.intelligence.classifying.classifiers import LEAST_EXAMPLES
from apps.figures.quantities import number_of
from apps.topics.definition.schemas import Definition
from apps.webs.models import Web
from apps.webs.pages.searching import PageIndex

LEAST_OF = {"seed": 1, "example": LEAST_EXAMPLES, "target": 1}
"""The fewest pages of each use; with fewer examples no classifier is trained."""
USES = tuple(LEAST_OF)
LEAST = sum(LEAST_OF.values())
"""The fewest pages of a topic."""
MOST_SEEDS = 10
TARGET_SHARE = 0.3
COVERS = 0.8
"""The share of the selected pages that must have a label for it to be offered as the true label."""
NEGATIVES_A_POSITIVE = 2


@dataclass(frozen=True, slots=True)
class UseCounts:
    """How many of the selected pages have which use; they add up to all of them."""

    seeds: int
    positives: int
    targets: int

    def uses(self, but: Mapping[str, int]) -> Iterator[str]:
        """The use of each page drawn, in the order drawn, without so many of each use."""
        parts = (self.seeds, self.positives, self.targets)
        for use, pages in zip(USES, parts, strict=True):
            yield from [use] * (pages - but.get(use, 0))


@dataclass(frozen=True, slots=True)
class PageSelection:
    """The pages selected in a web, how to split them, and the name of the topic; `pages` are their
    addresses by their numbers in the web.

    The split depends only on `random_seed` and the addresses, the negatives on it and the numbers
    of the web's pages, except for pages whose use a person has chosen: `by_hand` has it by the
    number of the page.
    """

    web: Web
    pages: Mapping[int, str]
    parts: UseCounts
    random_seed: int
    name: str = ""
    label: str = ""
    with_negatives: bool = True
    by_hand: Mapping[int, str] = field(default_factory=dict)

    @property
    def short_of(self) -> str:
        """The use that has fewer pages than it needs, in the singular; empty if none has."""
        parts = (self.parts.seeds, self.parts.positives, self.parts.targets)
        pairs = zip(LEAST_OF.items(), parts, strict=True)
        return next((use for (use, least), pages in pairs if pages < least), "")


def parts_of(
    pages: int,
    seeds: int | None = None,
    targets: int | None = None,
    by_hand: Mapping[int, str] | None = None,
) -> UseCounts:
    """Three numbers that add up to `pages`, which is at least LEAST; each is at least that of
    LEAST_OF, unless the uses chosen by hand leave too few.

    By default a fifth of the pages are `seeds`, at most ten, and three in ten `targets`; the rest
    are examples. Each part has at least as many pages as were chosen for it.
    """
    fixed = Counter((by_hand or {}).values())
    seeds = min(MOST_SEEDS, pages // 5) if seeds is None else seeds
    targets = round(TARGET_SHARE * pages) if targets is None else targets
    free = pages - fixed.total()
    wanted = {use: max(0, least - fixed[use]) for use, least in LEAST_OF.items()}
    drawn_seeds = _between(
        wanted["seed"], seeds - fixed["seed"], free - wanted["example"] - wanted["target"]
    )
    free = max(0, free - drawn_seeds)
    drawn_targets = _between(wanted["target"], targets - fixed["target"], free - wanted["example"])
    seeds, targets = fixed["seed"] + drawn_seeds, fixed["target"] + drawn_targets
    return UseCounts(seeds, pages - seeds - targets, targets)


def _between(least: int, wanted: int, most: int) -> int:
    return max(0, min(max(least, wanted), most))


def uses_of(choice: PageSelection) -> dict[int, str]:
    """The use of each selected page (seed, example or target) by its number."""
    numbers = {url: n for n, url in choice.pages.items() if n not in choice.by_hand}
    drawn = drawn_order(numbers.keys(), choice.random_seed)
    uses = choice.parts.uses(Counter(choice.by_hand.values()))
    return {**choice.by_hand, **{numbers[url]: use for url, use in zip(drawn, uses, strict=True)}}


def covering_labels(pages: int, counts: Mapping[str, int], in_web: Mapping[str, int]) -> list[str]:
    """The labels that four fifths of so many pages have, those that are rarest elsewhere first;
    `counts` has how many of the pages have each label, `in_web` how many of the web's."""
    covering = [label for label, n in counts.items() if n >= COVERS * pages]
    return sorted(covering, key=lambda label: (in_web.get(label, 0) - counts[label], label))


def definition_of(choice: PageSelection, index: PageIndex) -> Definition:
    """The topic as its form is filled in; its description tells how it was drawn, so that the draw
    can be repeated. It is not validated: the name may be missing.
    """
    uses = uses_of(choice)
    urls = {use: [url for n, url in choice.pages.items() if uses[n] == use] for use in USES}
    others = pages_without(choice, index) if choice.with_negatives else np.empty(0, int)
    most = min(NEGATIVES_A_POSITIVE * choice.parts.positives, len(others))
    drawn = random.Random(choice.random_seed).sample(range(len(others)), most)
    negatives = index.addresses(others[drawn].tolist()).values()
    return Definition.model_construct(
        name=choice.name,
        description=_description(choice, len(negatives), len(others)),
        web_id=choice.web.pk,
        web_label=choice.label,
        negatives_per_positive=NEGATIVES_A_POSITIVE,
        random_seed=choice.random_seed,
        lists={
            "seeds": "\n".join(urls["seed"]),
            "positives": "\n".join(urls["example"]),
            "targets": "\n".join(urls["target"]),
            "negatives": "\n".join(negatives),
        },
    )


def pages_without(choice: PageSelection, index: PageIndex) -> NDArray[np.int64]:
    """The numbers of the pages that negatives are drawn from: neither selected nor with the topic's
    label."""
    return index.numbers_without(choice.pages.keys(), choice.label)


def _description(choice: PageSelection, negatives: int, others: int) -> str:
    parts = choice.parts
    by_hand = f" and {len(choice.by_hand):,} of them by hand" if choice.by_hand else ""
    drawn = (
        f"{len(choice.pages):,} pages of {choice.web.name}, split by the random seed"
        f" {choice.random_seed}{by_hand}: {number_of(parts.seeds, 'seed')},"
        f" {number_of(parts.positives, 'positive example')}, {number_of(parts.targets, 'target')}."
    )
    if not negatives:
        return drawn
    without = " without the label" if choice.label else ""
    return f"{drawn} {number_of(negatives, 'negative')} drawn from the {others:,} others{without}."

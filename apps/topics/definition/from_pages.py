"""The definition of a topic made of pages chosen in a recorded web, before anything is saved."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from apps.directories.splits import drawn_order
from apps.topics.definition.reading import Definition
from apps.webs.models import Web
from apps.webs.pages.searching import FoundPage, PageIndex

LEAST = 3
"""Pages of a topic: one for each use."""
MOST_SEEDS = 10
TARGET_SHARE = 0.3
COVERS = 0.8
"""Of the chosen pages that have a label, so that it is offered as the topic's true label."""
NEGATIVES_A_POSITIVE = 2


@dataclass(frozen=True, slots=True)
class Parts:
    """How many of the chosen pages have which use; they add up to the pages chosen."""

    seeds: int
    positives: int
    targets: int

    def uses(self) -> Iterator[str]:
        """The use of each page, in the order drawn."""
        yield from ["seed"] * self.seeds
        yield from ["example"] * self.positives
        yield from ["target"] * self.targets


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen of a web: pages, how to split them, and what to call the topic.

    The split and the negatives depend on `random_seed` and the addresses alone.
    """

    web: Web
    pages: tuple[FoundPage, ...]
    parts: Parts
    random_seed: int
    name: str = ""
    label: str = ""
    with_negatives: bool = True


def parts_of(pages: int, seeds: int | None = None, targets: int | None = None) -> Parts:
    """Three numbers that add up to `pages`, which are at least LEAST; at least one each.

    Without `seeds` a fifth of the pages, at most ten; without `targets` three in ten. The examples
    are what those two leave.
    """
    seeds = min(MOST_SEEDS, pages // 5) if seeds is None else seeds
    targets = round(TARGET_SHARE * pages) if targets is None else targets
    seeds = max(1, min(seeds, pages - 2))
    targets = max(1, min(targets, pages - 1 - seeds))
    return Parts(seeds, pages - seeds - targets, targets)


def uses_of(choice: Choice) -> dict[int, str]:
    """By the number of each page chosen whether it is a seed, an example or a target."""
    numbers = {page.url: page.number for page in choice.pages}
    drawn = drawn_order(numbers.keys(), choice.random_seed)
    return {numbers[url]: use for url, use in zip(drawn, choice.parts.uses(), strict=True)}


def covering_labels(pages: Sequence[FoundPage], in_web: Mapping[str, int]) -> list[str]:
    """The labels that four fifths of the pages have, those first that fewest others have too."""
    counts: dict[str, int] = {}
    for page in pages:
        for label in page.labels:
            counts[label] = counts.get(label, 0) + 1
    covering = [label for label, n in counts.items() if n >= COVERS * len(pages)]
    return sorted(covering, key=lambda label: (in_web.get(label, 0) - counts[label], label))


def definition_of(choice: Choice, index: PageIndex) -> Definition:
    """The topic as its form is filled in; it says how it was drawn, so that it can be repeated."""
    uses = uses_of(choice)
    urls = {use: [page.url for page in choice.pages if uses[page.number] == use]
            for use in ("seed", "example", "target")}  # fmt: skip
    others = pages_without(choice, index) if choice.with_negatives else []
    negatives = drawn_order(others, choice.random_seed)[
        : NEGATIVES_A_POSITIVE * choice.parts.positives
    ]
    return Definition(
        name=choice.name,
        description=_told(choice, len(negatives), len(others)),
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


def pages_without(choice: Choice, index: PageIndex) -> list[str]:
    """The addresses that negatives are drawn from: neither chosen nor of the topic's label."""
    chosen: Collection[int] = {page.number for page in choice.pages}
    return index.addresses_without(chosen, choice.label)


def _told(choice: Choice, negatives: int, others: int) -> str:
    parts = choice.parts
    drawn = (
        f"{len(choice.pages):,} pages of {choice.web.name}, split by the random seed"
        f" {choice.random_seed}: {_number(parts.seeds, 'seed')},"
        f" {_number(parts.positives, 'positive example')}, {_number(parts.targets, 'target')}."
    )
    if not negatives:
        return drawn
    without = " without the label" if choice.label else ""
    return f"{drawn} {_number(negatives, 'negative')} drawn from the {others:,} others{without}."


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"

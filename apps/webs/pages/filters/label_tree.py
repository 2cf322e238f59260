"""The labels of a web as a tree of check boxes: labels are paths, `Science/Biology`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from apps.search.panels import Option

SHOWN = 12
UNLABELLED = ""
"""The label that stands for pages without labels."""
BELOW = "/"
"""Labels are paths, `Science/Biology`; one that ends so stands for all labels that begin so."""


@dataclass(frozen=True, slots=True)
class Node:
    """A label, or a branch with what is below it; `labels` counts the labels below.

    It is open if something below it is chosen.
    """

    option: Option
    children: tuple[Node, ...] = ()
    labels: int = 0
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class LabelTree:
    """The top of the tree; `further` is shown on request. `labels` counts all labels."""

    kind: ClassVar[str] = "label_tree"
    name: ClassVar[str] = "label"
    nodes: tuple[Node, ...]
    further: tuple[Node, ...]
    labels: int


def branches(label: str) -> list[str]:
    """The branches that a label lies on, from the root: of `a/b/c` they are `a/` and `a/b/`."""
    parts = label.split(BELOW)
    return [BELOW.join(parts[: i + 1]) + BELOW for i in range(len(parts) - 1)]


def label_tree(chosen: Collection[str], counts: Mapping[str, int]) -> LabelTree | None:
    """The tree of the labels counted and of those chosen, at each level chosen ones first, then the
    most frequent; None without labels."""
    below = _below(dict.fromkeys((*chosen, *counts)))
    nodes = tuple(_nodes("", below, counts, chosen))
    if not nodes:
        return None
    first = sum(_has_chosen(node) for node in nodes)
    shown = max(SHOWN, first)
    return LabelTree(nodes[:shown], nodes[shown:], sum(_labels(node) for node in nodes))


def _below(labels: Collection[str]) -> dict[str, dict[str, None]]:
    """The labels and branches right below each branch; "" is the root. A label that is a branch,
    too, is below itself."""
    below: dict[str, dict[str, None]] = {}
    for label in labels:
        for above, branch in pairwise(("", *branches(label))):
            below.setdefault(above, {})[branch] = None
    for label in labels:
        if not label.endswith(BELOW):
            above = f"{label}{BELOW}"
            on = above if above in below else next(reversed(branches(label)), "")
            below.setdefault(on, {})[label] = None
    return below


def _nodes(
    above: str,
    below: Mapping[str, Mapping[str, None]],
    counts: Mapping[str, int],
    chosen: Collection[str],
) -> Iterator[Node]:
    """The nodes right below a branch."""
    nodes = []
    for value in below.get(above, ()):
        children = tuple(_nodes(value, below, counts, chosen)) if value.endswith(BELOW) else ()
        option = Option(
            value,
            _words(value),
            counts.get(value, 0),
            value in chosen,
            whole=value.removesuffix(BELOW),
        )
        is_open = any(_has_chosen(child) for child in children)
        nodes.append(Node(option, children, sum(map(_labels, children)), is_open))
    yield from sorted(nodes, key=lambda node: (not _has_chosen(node), -node.option.count))


def _words(value: str) -> str:
    """The last part of the path."""
    if value == UNLABELLED:
        return "no label"
    return value.removesuffix(BELOW).rpartition(BELOW)[2].replace("_", " ") or value


def _has_chosen(node: Node) -> bool:
    return node.option.checked or node.is_open


def _labels(node: Node) -> int:
    return node.labels if node.children else int(node.option.value != UNLABELLED)

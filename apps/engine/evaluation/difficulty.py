"""Topics in groups: by how hard they are, and by domain (LC §10.2, Fig. 12; §10.5, Fig. 16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

QUARTERS = 4
LEAST_OF_A_DOMAIN = 10


def quarters(recall: Mapping[str, float]) -> tuple[tuple[str, ...], ...]:
    """Topics in four groups as equal as can be, hardest first.

    `recall` is each topic's final target recall by the full_page crawler (LC §10.2): the worst
    are the hardest. Topics of equal recall are ranked by name; earlier groups take what is over.
    """
    ranked = sorted(recall, key=lambda topic: (recall[topic], topic))
    size, over = divmod(len(ranked), QUARTERS)
    ends = [0]
    for group in range(QUARTERS):
        ends.append(ends[-1] + size + (group < over))
    return tuple(tuple(ranked[a:b]) for a, b in pairwise(ends))


def domains(
    topics: Sequence[str], least: int = LEAST_OF_A_DOMAIN
) -> Mapping[str, tuple[str, ...]]:
    """Topics by top-level category, those categories only that have `least` topics or more.

    A topic is a path such as `Top/Science/Astronomy`; the leading `Top` counts for nothing.
    """
    groups: dict[str, list[str]] = {}
    for topic in topics:
        parts = [part for part in topic.split("/") if part]
        parts = parts[1:] if parts[:1] == ["Top"] else parts
        groups.setdefault(parts[0] if parts else "", []).append(topic)
    return {name: tuple(found) for name, found in groups.items() if len(found) >= least}

"""Groups topics by difficulty and by domain (LC §10.2, Fig. 12; §10.5, Fig. 16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

QUARTERS = 4
LEAST_OF_A_DOMAIN = 10


def quarters(recall: Mapping[str, float]) -> tuple[tuple[str, ...], ...]:
    """Four groups of topics of almost equal size, hardest first.

    `recall` is each topic's final target recall by the full_page crawler (LC §10.2); the lowest is
    the hardest. Topics of equal recall are ranked by name; earlier groups get the remainder.
    """
    ranked = sorted(recall, key=lambda topic: (recall[topic], topic))
    size, over = divmod(len(ranked), QUARTERS)
    ends = [0]
    for group in range(QUARTERS):
        ends.append(ends[-1] + size + (group < over))
    return tuple(tuple(ranked[a:b]) for a, b in pairwise(ends))


def domains(topics: Sequence[str], least: int = LEAST_OF_A_DOMAIN) -> Mapping[str, tuple[str, ...]]:
    """Topics by top-level category, for the categories with at least `least` topics.

    A topic is a path such as `Top/Science/Astronomy`; the leading `Top` is ignored.
    """
    groups: dict[str, list[str]] = {}
    for topic in topics:
        parts = [part for part in topic.split("/") if part]
        parts = parts[1:] if parts[:1] == ["Top"] else parts
        groups.setdefault(parts[0] if parts else "", []).append(topic)
    return {name: tuple(members) for name, members in groups.items() if len(members) >= least}

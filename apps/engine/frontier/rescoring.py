"""Replaces the scores of all links, as if the frontier had been scored with them from the start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.codes import Exclusion
from apps.engine.frontier.queue import Frontier
from apps.engine.model import Floats, Longs


@dataclass(frozen=True, slots=True)
class LinkScores:
    """The scores of the links to `numbers` (URL numbers, ascending), in order of discovery.

    Link j leads from page `pages[j]` to numbers[rows[j]]; its score is nan if the strategy rejects
    it.
    """

    numbers: Longs
    rows: Longs
    pages: Longs
    scores: Floats


def replace_link_scores(frontier: Frontier, links: LinkScores, now: float) -> int:
    """Combines the scores of each URL's links by the parent policy; returns the number of URLs.

    A URL's parent becomes the page of its best link. A URL whose links are all rejected is excluded
    as rejected by the strategy; one with an accepted link is readmitted. Seeds and URLs without any
    link here keep their priority.
    """
    accepted = ~np.isnan(links.scores)
    rows, pages, scores = links.rows[accepted], links.pages[accepted], links.scores[accepted]
    size = len(links.numbers)
    seen = np.bincount(rows, minlength=size)
    priorities = frontier.combine(size, rows, scores)
    parents = _best_parents(size, rows, pages, scores)
    linked = np.frombuffer(frontier.parent, np.int32)[links.numbers] >= 0
    scored = linked & (seen > 0)
    frontier.replace_links(links.numbers[scored], priorities[scored], parents[scored], seen[scored])
    rejected = linked & (seen == 0) & (np.bincount(links.rows, minlength=size) > 0)
    _move(frontier, links.numbers[scored], links.numbers[rejected], now)
    frontier.rebuild(now)
    return int(scored.sum())


def _best_parents(size: int, rows: Longs, pages: Longs, scores: Floats) -> Longs:
    """The page of each row's best link, the first of equals; 0 for a row without links."""
    order = np.lexsort((np.arange(len(rows)), -scores, rows))
    first = np.flatnonzero(np.diff(rows[order], prepend=-1))
    parents = np.zeros(size, np.int64)
    parents[rows[order][first]] = pages[order][first]
    return parents


def _move(frontier: Frontier, scored: Longs, rejected: Longs, now: float) -> None:
    """Queues URLs that are no longer rejected, and excludes those that now are."""
    waits = np.zeros(len(frontier), np.bool_)
    waits[frontier.waiting_numbers()] = True
    left_out = np.zeros(len(frontier), np.bool_)
    left_out[frontier.excluded_for(Exclusion.REJECTED_BY_STRATEGY)] = True
    for number in rejected[waits[rejected]].tolist():
        frontier.exclude(number, Exclusion.REJECTED_BY_STRATEGY)
    for number in scored[left_out[scored]].tolist():
        frontier.readmit(number, now)

"""The filter by labels, which are paths: `Science/Biology`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q

from apps.search.filter import Field
from apps.search.sql import among, raw
from apps.search.values import Values, any_of
from apps.webs.pages.filters.label_tree import BELOW, UNLABELLED, LabelTree, branches, label_tree
from apps.webs.pages.filters.page_filter import PageFilter, Select


class WebLabelFilter(Values[str], PageFilter[tuple[str, ...]]):
    """Filters by label, by all labels below one (`Science/`), or by having none ("")."""

    id = "label"
    title = "Label"
    sentence = "Labels of the page; one that ends in / stands for itself and all below it."
    unknown = "is not a label"
    fields = (
        Field(
            "label",
            'Labels; one that ends in / stands for all that begin so, "" for pages without labels.',
        ),
    )
    example = "label=Science/&label=Owls"
    most = 50

    def parse(self, text: str) -> str | None:
        return text

    def words(self, key: str) -> str:
        if key.endswith(BELOW):
            return f"{key.removesuffix(BELOW)} and all below"
        return "no label" if key == UNLABELLED else key

    def chip(self, key: str) -> str:
        return f"label: {self.words(key)}"

    def condition(self, value: tuple[str, ...]) -> Q:
        named = among("name", [key for key in value if key and not key.endswith(BELOW)])
        ways = [_labelled(named.sql, named.params)] if named.params else []
        ways += [
            _labelled("substr(name || '/', 1, length(%s)) = %s", (key, key))
            for key in value
            if key.endswith(BELOW)
        ]
        if UNLABELLED in value:
            ways.append(raw("number NOT IN (SELECT page FROM labelled)"))
        return any_of(ways)

    def counts(self, select: Select) -> Mapping[str, int]:
        """Pages by label, the most frequent first, by branch, and without any; a page counts once
        for a branch."""
        counts = label_counts(select)
        return {**counts, **_branch_counts(select)} if counts else counts

    def panel(  # type: ignore[override]
        self, value: tuple[str, ...], counts: Mapping[Any, int]
    ) -> LabelTree | None:
        return label_tree(value, counts)


def label_counts(select: Select) -> dict[str, int]:
    """Pages by label, the most frequent first; UNLABELLED if some have none."""
    counts = dict(
        select(
            "SELECT name, count(*) AS n FROM matched JOIN labelled USING (page)"
            " JOIN labels ON labels.number = label GROUP BY label ORDER BY n DESC, name"
        )
    )
    [(bare,)] = select("SELECT count(*) FROM matched WHERE page NOT IN (SELECT page FROM labelled)")
    return {**counts, **({UNLABELLED: bare} if bare and counts else {})}


def _branch_counts(select: Select) -> dict[str, int]:
    numbers = dict(select("SELECT name, number FROM labels"))
    above = [(branch, number) for name, number in numbers.items() for branch in branches(name)]
    # A label may be a branch, too: its pages are on it.
    above += [
        (branch, numbers[branch.removesuffix(BELOW)])
        for branch in dict(above)
        if branch.removesuffix(BELOW) in numbers
    ]
    if not above:
        return {}
    return dict(
        select(
            "SELECT branch, count(DISTINCT page) FROM matched JOIN labelled USING (page)"
            " JOIN (SELECT json_extract(value, '$[0]') AS branch, json_extract(value, '$[1]')"
            " AS label FROM json_each(%s)) USING (label) GROUP BY branch",
            (json.dumps(above),),
        )
    )


def _labelled(names: str, params: Sequence[str]) -> Q:
    return raw(
        f"number IN (SELECT page FROM labelled JOIN labels ON labels.number = label WHERE {names})",
        params,
    )


LABEL = WebLabelFilter()

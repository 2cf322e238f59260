"""What a crawl is given besides its topic: frozen when it starts, read when it runs.

`freeze` notes where everything lies (JSON), `provenance` says in a few values where it comes from,
`supply` puts it into the engine's topic. Files are linked into the topic's own folder, so that a
crawl can be repeated whatever becomes of the list, the web or the other topic they came from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from typing import Any

from apps.engine import model
from apps.engine.model import Need
from apps.topics.inputs import (
    background,
    backlinks,
    corpus,
    inlinks,
    relevant_set,
    sites,
    taxonomy,
    traffic,
)
from apps.topics.models import Topic

Frozen = dict[str, Any]
# What a strategy may need; the rest is given to every crawl.
_ON_NEED: Mapping[Need, tuple[str, Callable[[Topic], Frozen]]] = {
    Need.CORPUS: ("corpus", corpus.freeze),
    Need.TAXONOMY: ("taxonomy", taxonomy.freeze),
    Need.BACKGROUND: ("background", background.freeze),
    Need.BACKLINKS: ("backlinks", backlinks.freeze),
}
_ALWAYS: Mapping[str, Callable[[Topic], Frozen]] = {
    "inlinks": inlinks.freeze, "traffic": traffic.freeze, "sites": sites.freeze,
}
_PARTS = {
    "corpus": corpus.supply, "taxonomy": taxonomy.supply, "backlinks": backlinks.supply,
    "inlinks": inlinks.supply, "traffic": traffic.supply,
    "background": background.supply, "relevant_set": relevant_set.supply,
}


def freeze(topic: Topic, needs: Set[Need], judge: str = "") -> dict[str, Frozen]:
    """What a crawl with a strategy of these needs is given, by name; what is empty is left out.

    LC's judge (`lc`) is given the entire relevant set. Raises OSError where files cannot be
    linked, BadWebFile where the topic's web cannot be read.
    """
    makers = dict(_ALWAYS) | {name: make for need, (name, make) in _ON_NEED.items()
                              if need in needs}
    if judge == "lc":
        makers["relevant_set"] = relevant_set.freeze
    frozen = {name: make(topic) for name, make in makers.items()}
    return {name: part for name, part in frozen.items() if part}


def provenance(given: Mapping[str, Frozen]) -> dict[str, Frozen]:
    """By name `{"of", "name", "at", "rows", "examples", "positives"}`, as far as each knows them.

    `of` is the kind of source, `name` what it is called, `at` when it was made or added, `rows` how
    much there is of it, `examples` how many of the `positives` it knows.
    """
    told = ("of", "name", "at", "rows", "examples", "positives")
    return {name: {key: part[key] for key in told if key in part} for name, part in given.items()}


def outlook(topic: Topic, needs: Set[Need]) -> dict[str, Frozen]:
    """`provenance` of what a crawl started now would be given because of its strategy's needs, as
    far as that can be told without linking or reading pages. Raises BadWebFile."""
    told: dict[str, Frozen] = {}
    if Need.INLINKS in needs and (counts := inlinks.choose(topic)) is not None:
        told["inlinks"] = {"of": counts.of, "name": counts.name, "examples": counts.examples,
                           "positives": counts.positives}
    if Need.CORPUS in needs:
        of, rows = corpus.chosen(topic)
        told["corpus"] = {"of": of, "rows": min(len(rows), corpus.MOST)}
    if Need.TAXONOMY in needs:
        name = topic.category.directory.name if topic.category else ""
        told["taxonomy"] = {"of": "directory" if name else "topics", "name": name}
    return told


def supply(topic: model.Topic, topic_id: int, given: Mapping[str, Frozen]) -> model.Topic:
    """The engine's topic with what was frozen. Raises BadWebFile where a file is gone."""
    fields: dict[str, Any] = {}
    for name, part in given.items():
        if name in _PARTS:
            fields |= _PARTS[name](topic, topic_id, part)
    return replace(topic, **fields)


def listed_sites(topic_id: int, given: Mapping[str, Frozen]) -> Set[str]:
    """The registered domains that reliability is measured by; empty without a list."""
    return sites.supply(topic_id, given["sites"]) if "sites" in given else frozenset()

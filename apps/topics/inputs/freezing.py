"""The inputs of a crawl: frozen when it starts, read when it runs.

Files are linked into the topic's own folder, so that a crawl can be repeated whatever becomes of
the list, the web or the other topic they came from.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from typing import Any

from apps.engine import topics
from apps.engine.codes import Need
from apps.topics.inputs.catalogue import INPUTS
from apps.topics.inputs.crawl_input import Frozen, Origin
from apps.topics.models import Topic

_ORIGIN = (
    *("of", "name", "at", "rows", "examples", "positives", "version", "digest"),
    *("left_out_alike", "alike"),
)


def freeze(topic: Topic, needs: Set[Need], judge: str = "") -> dict[str, Frozen]:
    """The inputs of a crawl with a strategy of these needs and this judge, by the input's id; empty
    ones are left out.

    Raises OSError if files cannot be linked, BadWebFile if the topic's web cannot be read.
    """
    frozen = {one.id: one.freeze(topic) for one in INPUTS if one.is_for(needs, judge)}
    return {id: part for id, part in frozen.items() if part}


def origins(frozen: Mapping[str, Frozen]) -> dict[str, Frozen]:
    """The origin of each input, without its path in the data folder."""
    return {id: {key: part[key] for key in _ORIGIN if key in part} for id, part in frozen.items()}


def expected_origins(topic: Topic, needs: Set[Need]) -> dict[str, Frozen]:
    """The origins of what a crawl started now would be given for its strategy's needs, as far as
    they are computed without linking or reading pages. Raises BadWebFile."""
    wanted = (one for one in INPUTS if one.need is None or one.need.need in needs)
    expected = {one.id: one.expected(topic) for one in wanted}
    return {id: origin for id, origin in expected.items() if origin}


def origin_words(origins: Mapping[str, Origin]) -> dict[str, str]:
    """A sentence on each, by the input's id."""
    return {one.id: one.origin(origins[one.id]) for one in INPUTS if one.id in origins}


def supply(topic: topics.Topic, topic_id: int, frozen: Mapping[str, Frozen]) -> topics.Topic:
    """The engine's topic with the frozen inputs. Raises BadWebFile if a file is gone."""
    fields: dict[str, Any] = {}
    for one in INPUTS:
        if one.id in frozen:
            fields |= one.supply(topic, topic_id, frozen[one.id])
    return replace(topic, **fields)

"""The relations of the parts of an Office document: where their ids lead."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import Any


def relations_part(part: str) -> str:
    """The name of the part with the relations of a part."""
    folder, name = posixpath.split(part)
    return f"{folder}/_rels/{name}.rels"


def targets_of(part: str, relations: Iterable[Any]) -> dict[str, str]:
    """The targets of a part's relations by id: names of parts, or addresses."""
    folder = posixpath.dirname(part)
    by_id: dict[str, str] = {}
    for relation in relations:
        target = relation.get("Target") or ""
        if relation.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        by_id[relation.get("Id") or ""] = target
    return by_id

"""The search to which pages are added, to look for more like them."""

from __future__ import annotations

from dataclasses import replace

from apps.collection.filters.near import NEAR
from apps.collection.search import CollectionSearch


def like_address(search: CollectionSearch) -> str:
    """The search without what it is near to and in its usual order: parameters `like` follow."""
    others = replace(search.having(NEAR, NEAR.nothing), order="").query()
    return f"{search.context.address}?{others}"

"""Texts of which a catalogue lists the allowed ones, as types of schemas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic_core import CoreSchema, core_schema


class OneOf:
    """The values of a text: `Annotated[str, OneOf(ORDERS)]` accepts what `Literal[…]` of the same
    values would, for values that only the running program knows."""

    def __init__(self, values: Iterable[str]) -> None:
        self.values = tuple(values)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.literal_schema(list(self.values))

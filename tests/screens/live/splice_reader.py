"""How a page goes on with a curve, as `static/js/live/splices.js` does it."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import TypeVar

Value = TypeVar("Value")


def splice(values: Sequence[Value], keep: int | str, added: Sequence[Value]) -> list[Value]:
    """The values that stay, then the new ones."""
    if isinstance(keep, int):
        return [*values[:keep], *added]
    bits = "".join(f"{byte:08b}" for byte in b64decode(keep))
    return [*(value for value, bit in zip(values, bits, strict=False) if bit == "1"), *added]

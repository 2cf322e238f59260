"""Parameters of an address that cannot be understood.

A list ignores such values and names them; a download, whose content nobody would check, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from apps.schemas.refused import Refused

LONGEST = 40
NO_WORD = "has no word or number to look for"


@dataclass(frozen=True, slots=True)
class Misread:
    """An error at one field, named as in the address."""

    field: str
    message: str


class SearchRefused(Refused):
    """A search that cannot be carried out; `field` and `message` as in Misread."""

    def __init__(self, misread: Misread) -> None:
        super().__init__(misread.field, misread.message)


def misread_values(
    field: str, values: Iterable[str], understood: Callable[[str], bool], unknown: str
) -> Iterator[Misread]:
    """An error for each value that is neither empty nor understood; `unknown` is its verb and
    object, as “is not a number”."""
    for value in values:
        if value and not understood(value):
            cut = f"{value[:LONGEST]}…" if len(value) > LONGEST else value
            yield Misread(field, f"“{cut}” {unknown}.")


def refuse_first(errors: Iterable[Misread]) -> None:
    """Raises SearchRefused for the first error, if there is one."""
    first = next(iter(errors), None)
    if first is not None:
        raise SearchRefused(first)

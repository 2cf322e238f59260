"""The choice of topics to be made from a directory: one schema for the form and the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, StringConstraints

from apps.directories.splits import Protocol, Rule, rule
from apps.schemas.input import Input, Key, Storable

Word = Annotated[Storable, StringConstraints(min_length=1, max_length=100)]


class CategoryChoice(Input):
    """Which categories below `at` become topics, and how their URLs are split: by the rule of LC
    §5, SL §5.1, SLC §5.2 or AFC §3.5, with its numbers unless others are given.

    With the scope `own` every category below counts with its own pages; with `subtree` the direct
    children count with all their descendants, so that no topic contains another. If there are more
    than `most`, so many are drawn by `seed`. Categories with one of `words` in their path are left
    out; null means the paper's words. `web` is a recorded web that pages come from, null the live
    Web.
    """

    rule: Protocol = "lc"
    at: Annotated[Storable, StringConstraints(max_length=2_000)] = ""
    size: Annotated[int | None, Field(ge=1, le=100_000)] = None
    minimum: Annotated[int | None, Field(ge=1, le=10_000_000)] = None
    words: Annotated[tuple[Word, ...] | None, Field(max_length=100, strict=False)] = None
    most: Annotated[int, Field(ge=1, le=1_000)] = 100
    seed: Annotated[int, Field(ge=0, le=2**62)] = 1
    web: Key | None = None

    @property
    def how(self) -> Rule:
        """The paper's way to split a category."""
        return rule(self.rule)

    @property
    def parts(self) -> int:
        """The size in URLs of each drawn part; by default the paper's."""
        return self.size or self.how.size

    @property
    def left_out(self) -> Sequence[str]:
        """Words that exclude a category; by default the paper's."""
        return self.how.words if self.words is None else self.words

    @property
    def least(self) -> int:
        """The fewest URLs a category must have."""
        return max(self.minimum or self.how.minimum, self.how.least(self.parts))

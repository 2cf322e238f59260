"""The whole visible text of pages against their main text, as it is saved."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from apps.research.effectiveness.saved_result import DIGITS, SavedResult
from apps.schemas.input import Input

Shares = Annotated[tuple[float, ...], Field(strict=False)]


class BothTexts(Input):
    """A figure of each topic where pages are judged by their whole text, and by their main text."""

    whole: Shares
    main: Shares


class TextResult(SavedResult):
    """The figures of one web by name, each of the same topics."""

    room = "main_text"
    results_field = "figures"
    topics: Annotated[tuple[str, ...], Field(strict=False)]
    figures: dict[str, BothTexts] = {}

    def with_figure(self, name: str, both: BothTexts) -> TextResult:
        """A copy with one figure more, its values rounded as they are saved."""
        whole, main = (
            tuple(round(value, DIGITS) for value in values) for values in (both.whole, both.main)
        )
        figure = BothTexts(whole=whole, main=main)
        return self.model_copy(update={"figures": {**self.figures, name: figure}})

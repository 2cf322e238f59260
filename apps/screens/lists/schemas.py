"""The input sent with a list: how to read it, and which list of a topic it becomes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from apps.lists.decoding import ENCODINGS
from apps.lists.formats.delimited import DELIMITERS
from apps.lists.formats.format import Choices
from apps.lists.reading import LINES
from apps.schemas.input import Input

TAKEN_AS = {
    "seeds": "seeds: a crawl starts there",
    "positives": "positive examples: they are on the topic",
    "negatives": "negative examples: they are not on the topic",
    "targets": "targets: recall is measured on them",
}
OTHERS = {
    "evaluation_positives": "positive examples for judging",
    "evaluation_negatives": "negative examples for judging",
    "backlinks": "pages that link to the examples",
    "corpus": "texts of the background",
    "inlinks": "in-link counts: how many pages link to each",
    "hosts": "hosts to decide on: in or out",
}
HOSTS = "hosts"
"""The list whose addresses are hosts, domains and users."""
COUNTED = "inlinks"
"""The list with a whole number beside each address."""
_HEADINGS = {"": None, "yes": True, "no": False}


def _whole(text: str) -> int | str:
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 5 else text


def _whole_list(text: str) -> list[int | str]:
    return [_whole(each) for each in text.split(",") if each]


Number = Annotated[int, BeforeValidator(_whole), Field(ge=-1)]


class ReadingChoices(Input):
    """The choices of the reading; an empty one is recognised. Columns count from 1: 0 is none, -1
    recognised."""

    taken_as: Annotated[str, Field(pattern=f"^({'|'.join((*TAKEN_AS, *OTHERS))})$")] = "seeds"
    delimiter: Annotated[str, Field(pattern=f"^({'|'.join((*DELIMITERS, LINES))})?$")] = ""
    encoding: Annotated[str, Field(pattern=f"^({'|'.join(ENCODINGS)})?$")] = ""
    heading: Literal["", "yes", "no"] = ""
    sheet: Annotated[str, Field(max_length=200)] = ""
    column: Number = -1
    title: Number = -1
    answer: Number = -1
    count: Number = -1
    corrections: Annotated[list[int], BeforeValidator(_whole_list), Field(max_length=100_000)] = []

    def choices(self) -> Choices:
        """The choices as the reader of lists takes them."""
        return Choices(
            delimiter=self.delimiter,
            encoding=self.encoding,
            heading=_HEADINGS[self.heading],
            sheet=self.sheet,
            column=self.column,
            title=self.title,
            answer=self.answer,
            count=self.count,
        )

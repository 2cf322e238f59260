"""The input of a saved search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from apps.collection.models import LONGEST_NAME
from apps.schemas.input import Input, Key, Printable, Storable, accepts

Name = Annotated[
    Storable,
    StringConstraints(min_length=1, max_length=LONGEST_NAME, strip_whitespace=True),
    Printable,
]


class SearchName(Input):
    """The name of a saved search."""

    name: Annotated[
        Name, accepts(f"a name of 1 to {LONGEST_NAME} characters, none of them control characters")
    ]


class SearchSent(SearchName):
    """A search by the query string of its collection's address: of all crawls of a topic that you
    may see, or of one crawl."""

    topic: Annotated[Key | None, accepts("the number of a topic")] = None
    crawl: Annotated[Key | None, accepts("the number of a crawl")] = None
    query: Annotated[
        Storable,
        Field(max_length=8_000),
        accepts("a search as in the collection's address, as in q=eelgrass&label=y"),
    ]

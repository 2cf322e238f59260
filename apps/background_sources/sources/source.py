"""The interface of the sources of backgrounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from django.contrib.auth.models import User
from pydantic import Field

from apps.backgrounds.files import folder_of
from apps.backgrounds.models import Background
from apps.schemas.input import Input

SMALLEST, LARGEST = 2, 50_000
"""The bounds of a background's texts: fewer have no directions, more add little."""
DRAWN = 4_000
"""The number of texts drawn by default."""
Size = Annotated[int, Field(ge=SMALLEST, le=LARGEST)]
Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]

Progress = Callable[[int, int], None]
"""Called with the texts read so far and those wanted; raises `Withdrawn` of
`jobs.progress_reporter` if the building was cancelled."""


def upload_folder(background: Background) -> Path:
    """The folder of an uploaded file."""
    return folder_of(background) / "upload"


def gathered_folder(background: Background) -> Path:
    """The folder of the pages gathered for a building under way."""
    return folder_of(background) / "gathered"


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its words in lower case and its addresses, requested and final; `origin` is the
    topic it was fetched for, or 0."""

    words: Sequence[str]
    urls: tuple[str, ...] = ()
    origin: int = 0


@dataclass(frozen=True, slots=True)
class BackgroundSource:
    """Where the texts of a background come from.

    `options` is the schema of what it is to take. `check` raises Refused at the option that is
    wrong for that owner. `gather` yields the texts; an unusable page is skipped. `made_of` says
    what they were, given their number. `name` is the name of a background of it, unless another is
    given. With `takes_file` it reads an uploaded file, `accepts` describes it. One that cannot
    be built is made elsewhere and only stored.
    """

    id: str
    title: str
    sentence: str
    options: type[Input]
    check: Callable[[User, Any], None]
    gather: Callable[[Background, Any, Progress], Iterator[Text]]
    made_of: Callable[[Background, Any, int], str]
    name: Callable[[User, Any], str]
    takes_file: bool = False
    accepts: str = ""
    can_be_built: bool = True

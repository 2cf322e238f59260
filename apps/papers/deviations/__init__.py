"""Where the implementation departs from the papers, and why, as it stands in a TOML file of each
paper."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from apps.papers.papers import PAPERS
from apps.schemas.input import Input, Text
from apps.schemas.refused import Refused

FOLDER = Path(__file__).parent
Kind = Literal["choice", "deviation", "erratum", "left out"]
KINDS: Mapping[Kind, str] = {
    "choice": "the paper leaves it open",
    "deviation": "the paper has it otherwise",
    "erratum": "the paper cannot be meant as it is printed",
    "left out": "the paper has it, and it is not built",
}


class Deviation(Input):
    """One departure from a paper.

    `where` is its section, `paper` the paper's way, `here` ours, and `why` the reason. `code` is
    the dotted name of the module, class or function that does it; what is left out may have none.
    """

    kind: Kind
    where: Text
    paper: Text
    here: Text
    why: Text
    code: Annotated[str, Field(max_length=200)] = ""


class _File(Input):
    deviations: Annotated[tuple[Deviation, ...], Field(min_length=1, strict=False)]


@cache
def deviations() -> Mapping[str, tuple[Deviation, ...]]:
    """The deviations from each paper, in the order of the papers. Raises Refused for a wrong
    file."""
    return {paper: _read(FOLDER / f"{paper.lower()}.toml") for paper in PAPERS}


def _read(path: Path) -> tuple[Deviation, ...]:
    try:
        return _File.read(tomllib.loads(path.read_text("utf-8"))).deviations
    except tomllib.TOMLDecodeError as error:
        raise Refused("", f"{path.name} is not TOML: {error}.") from None
    except Refused as refused:
        raise Refused(f"{path.name}: {refused.field}", refused.message) from None

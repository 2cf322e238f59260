"""The design of an experiment as a TOML file.

name = "Two crawlers"
web = "made"
topics = ["Bread", "Stars"]
pages = 500

[[crawlers]]
strategy = "full_page"

[[crawlers]]
strategy = "tag_tree_combo"
parameters = {beta = [0.25, 0.5]}     # a list makes a variant of each value
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from apps.engine.file_faults import fault_words
from apps.experiments.design.schema import Design
from apps.schemas.refused import Refused

MOST_BYTES = 2**18
MOST_KEY_PARTS = 16
TOO_LARGE = f"A design has up to {MOST_BYTES >> 10} kB. Name fewer topics, or shorten the note."
_TEXT = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*'")
_LONG_KEY = re.compile(rf"(?:(?<![\w-])[\w-]++[ \t]*+\.[ \t]*+){{{MOST_KEY_PARTS}}}")


def read_design(text: str | bytes) -> Design:
    """The design in a TOML text. Raises Refused, with the line where it is not TOML."""
    if len(text) > MOST_BYTES:
        raise Refused("", TOO_LARGE)
    try:
        toml = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        _check_keys(toml)
        plain = tomllib.loads(toml)
    except UnicodeDecodeError:
        raise Refused("", "This is not a text in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise Refused("", f"This is not TOML: {error}.") from None
    except (ValueError, RecursionError) as error:
        raise Refused("", f"This is not TOML: {fault_words(error)}.") from None
    return Design.read(plain)


def _check_keys(toml: str) -> None:
    """Refuses a key of many parts, which costs the reader their square."""
    for number, line in enumerate(toml.split("\n"), start=1):
        if _LONG_KEY.search(_TEXT.sub("text", line).partition("#")[0]):
            raise Refused(
                "", f"The key on line {number:,} has more than {MOST_KEY_PARTS} parts; none has."
            )


def read_design_file(path: Path) -> Design:
    """The design in a TOML file. Raises Refused, also if it cannot be opened."""
    try:
        with path.open("rb") as file:
            return read_design(file.read(MOST_BYTES + 1))
    except OSError as error:
        raise Refused("", f"{path} cannot be opened: {error.strerror}.") from None


def write_design(design: Design) -> str:
    """The design as TOML, without what is at its default."""
    plain = design.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    return tomli_w.dumps(_without_none(plain))


def _without_none(value: Any) -> Any:
    """TOML has no null."""
    if isinstance(value, dict):
        return {name: _without_none(each) for name, each in value.items() if each is not None}
    return [_without_none(each) for each in value] if isinstance(value, list) else value

"""What the screens show of a filter. `kind` names the template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Option:
    """A check box of a filter: `dots` are the votes of a verdict, those in favour first."""

    value: str
    words: str
    count: int
    checked: bool
    dots: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence below the options; `address` is of its link, empty where it has none."""

    words: str
    link: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class CheckBoxes:
    """The options of one parameter. `another` is the placeholder of a field for one more value,
    empty where there is no such field."""

    kind: ClassVar[str] = "check_boxes"
    title: str
    name: str
    options: tuple[Option, ...]
    another: str = ""
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Hidden:
    """Parameters that stay as they are; they have no place on the screen."""

    kind: ClassVar[str] = "hidden"
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram over 0 to 100; `height` is a share of the tallest."""

    x: float
    height: float
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Histogram:
    """How pages lie from 0 to 1, and the two ends of what is chosen."""

    kind: ClassVar[str] = "histogram"
    title: str
    names: tuple[str, str]
    ends: tuple[float, float]
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """A field for one end of a range."""

    name: str
    words: str
    value: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """The ends of a range, typed in; `type` is that of the fields, number or date."""

    kind: ClassVar[str] = "bounds"
    title: str
    type: str
    bounds: tuple[Bound, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(bound.name for bound in self.bounds)


Panel = CheckBoxes | Hidden | Histogram | Bounds


@dataclass(frozen=True, slots=True)
class CheckBox:
    """A yes or no in the menu of downloads."""

    kind: ClassVar[str] = "check_box"
    name: str
    words: str
    checked: bool


@dataclass(frozen=True, slots=True)
class Slider:
    """A least value from 0 to 1 in the menu of downloads."""

    kind: ClassVar[str] = "slider"
    name: str
    words: str
    value: float

"""The controls of filters on the screens. `kind` names the template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol


@dataclass(frozen=True, slots=True)
class Option:
    """A check box of a filter: `dots` are the votes of a verdict, those in favour first; `whole` is
    a longer form of its words."""

    value: str
    words: str
    count: int
    checked: bool
    dots: tuple[bool, ...] = ()
    whole: str = ""


@dataclass(frozen=True, slots=True)
class SwitchPosition:
    """One position of a switch."""

    value: str
    words: str
    checked: bool


@dataclass(frozen=True, slots=True)
class Switch:
    """A parameter that says how the checked options apply; the first choice is the usual one."""

    name: str
    words: str
    choices: tuple[SwitchPosition, ...]


@dataclass(frozen=True, slots=True)
class PanelNote:
    """A sentence below the options; `address` is that of its link, or empty."""

    words: str
    link: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class CheckBoxes:
    """The options of one parameter. `another` is the placeholder of a field for one more value, or
    empty if there is no such field; `switch` stands above the options."""

    kind: ClassVar[str] = "check_boxes"
    title: str
    name: str
    options: tuple[Option, ...]
    another: str = ""
    note: PanelNote | None = None
    switch: Switch | None = None


@dataclass(frozen=True, slots=True)
class Hidden:
    """Parameters that are kept but have no control."""

    kind: ClassVar[str] = "hidden"
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """A bar of a histogram over 0 to 100; `height` is relative to the tallest."""

    x: float
    height: float
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Histogram:
    """The distribution of pages from 0 to 1, and the two ends of the selected range."""

    kind: ClassVar[str] = "histogram"
    title: str
    names: tuple[str, str]
    ends: tuple[float, float]
    bars: tuple[HistogramBar, ...]


@dataclass(frozen=True, slots=True)
class DateBar:
    """The pages of a year or month; `height` is relative to the tallest bar, `chosen` if the range
    in use has it."""

    value: str
    words: str
    pages: int
    height: float
    chosen: bool


@dataclass(frozen=True, slots=True)
class Dates:
    """The pages by year or month, the two ends of the range as texts, and ticks by the names of
    their parameters for pages without a date."""

    kind: ClassVar[str] = "dates"
    title: str
    names: tuple[str, str]
    ends: tuple[str, str]
    words: str
    bars: tuple[DateBar, ...]
    ticks: tuple[tuple[str, Option], ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """A field for one end of a range."""

    name: str
    words: str
    value: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """The two ends of a range as input fields of `type`, number or date."""

    kind: ClassVar[str] = "bounds"
    title: str
    type: str
    bounds: tuple[Bound, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(bound.name for bound in self.bounds)


class Panel(Protocol):
    """The controls of one filter; `components/panels/<kind>.html` shows them."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class CheckBox:
    """A check box in the menu of downloads."""

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

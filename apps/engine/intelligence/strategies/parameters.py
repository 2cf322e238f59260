"""Hyper-parameters: derives forms, records of runs and recipes from constructors."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, get_args, get_origin, get_type_hints
from weakref import WeakKeyDictionary

from apps.engine.errors import BadParameter

_ASCII = str.maketrans(
    {
        "α": "alpha",
        "β": "beta",
        "γ": "gamma",
        "δ": "delta",
        "Δ": "Delta",
        "η": "eta",
        "θ": "theta",
        "₀": "0",
    }
)


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The bounds of a number, inclusive."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Symbol:
    """The papers' symbol for a parameter (`T`, `β`).

    It is accepted instead of the parameter's name, also in ASCII (`beta`, `Delta`, `alpha0`).
    """

    text: str


@dataclass(frozen=True, slots=True)
class ChoiceOf:
    """The allowed values of a text: the names in a catalogue."""

    names: Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Several:
    """The names in a catalogue of which a text lists at least `least`, separated by spaces."""

    names: Callable[[], Iterable[str]]
    least: int = 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """One constructor parameter, with what forms and commands need to show and parse it.

    `kind` is `int`, `float`, `bool`, `choice`, `str` or `names`: at least `least` of the `choices`,
    in their order, separated by spaces. `effect` is its text in the class docstring.
    """

    name: str
    kind: str
    default: Any
    effect: str
    symbol: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    least: int = 0

    @property
    def spellings(self) -> tuple[str, ...]:
        """The accepted spellings of the parameter, its name last."""
        letters = (self.symbol.translate(_ASCII), self.symbol) if self.symbol else ()
        return (*letters, self.name)

    def read(self, value: Any) -> Any:
        """Parses a value of the parameter's type.

        Raises BadParameter with the parameter and its allowed values.
        """
        try:
            return self._checked(value)
        except ValueError as error:
            raise BadParameter(str(error), parameter=self.name) from None

    def _checked(self, value: Any) -> Any:
        if self.kind == "choice":
            if str(value) not in self.choices:
                raise ValueError(f"{self.name} must be one of {', '.join(self.choices)}")
            return str(value)
        if self.kind == "str":
            return str(value).strip()
        if self.kind == "names":
            return self._names(value)
        if self.kind == "bool":
            words = {"true": True, "1": True, "on": True, "yes": True}
            words |= {"false": False, "0": False, "off": False, "no": False}
            if str(value).lower() not in words:
                raise ValueError(f"{self.name} must be true or false")
            return words[str(value).lower()]
        return self._number(value)

    def _names(self, value: Any) -> str:
        """The names in a text, or in a list, each once."""
        listed = value if isinstance(value, list | tuple) else re.split(r"[\s,]+", str(value))
        given = {str(name) for name in listed} - {""}
        for name in sorted(given.difference(self.choices)):
            raise ValueError(f"{name} is not one of {', '.join(self.choices)}")
        if len(given) < self.least:
            choices = ", ".join(self.choices)
            raise ValueError(f"{self.name} must be at least {self.least} of {choices}")
        return " ".join(name for name in self.choices if name in given)

    def _number(self, value: Any) -> float | int:
        kind = int if self.kind == "int" else float
        try:
            number = kind(str(value).strip())
        except ValueError:
            wanted = "a whole number" if kind is int else "a number"
            raise ValueError(f"{self.name} must be {wanted}") from None
        low = -float("inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        if not low <= number <= high:
            raise ValueError(f"{self.name} must lie between {self.low:g} and {self.high:g}")
        return number


class Parametrised:
    """A class whose constructor takes only hyper-parameters and stores each under its name.

    `shared` are further ones that a base class adds to the constructors' of all its subclasses; an
    instance has them at their defaults until `build` sets them. `adjustable` names the parameters
    that may be changed during a crawl.
    """

    id: ClassVar[str]
    shared: ClassVar[tuple[Parameter, ...]] = ()
    adjustable: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        """Takes no hyper-parameters."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The constructor's parameters, in order, then the shared ones."""
        return (*(_parameter(*stated) for stated in _stated(cls)), *cls.shared)

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Self:
        """Builds an instance from texts or values by parameter name or symbol.

        Raises BadParameter for an unknown name or a value out of range.
        """
        by_name = {letter: p for p in cls.parameters() for letter in p.spellings}
        by_name |= {p.name: p for p in cls.parameters()}
        chosen = {}
        for name, value in values.items():
            if name not in by_name:
                names = ", ".join(p.name for p in cls.parameters()) or "none"
                raise BadParameter(
                    f"{cls.id} has no parameter {name}; it has: {names}", parameter=name
                )
            chosen[by_name[name].name] = by_name[name].read(value)
        shared = {p.name: chosen.pop(p.name) for p in cls.shared if p.name in chosen}
        built = cls(**chosen)
        vars(built).update(shared)
        return built

    def values(self) -> dict[str, Any]:
        """The current hyper-parameters; `type(self).build(self.values())` equals this one."""
        return {p.name: getattr(self, p.name) for p in self.parameters()}

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.values().items())
        return f"{type(self).__name__}({chosen})"

    def adjust(self, name: str, value: float) -> None:
        """Changes a parameter during a crawl. Raises BadParameter if it is not adjustable."""
        if name not in self.adjustable:
            raise BadParameter(f"{name} cannot change while the crawl runs", parameter=name)
        parameter = next(p for p in self.parameters() if p.name == name)
        setattr(self, name, parameter.read(value))


Stated = tuple[tuple[str, Any, Any, str], ...]
_STATED: WeakKeyDictionary[type[Parametrised], Stated] = WeakKeyDictionary()


def _stated(cls: type[Parametrised]) -> Stated:
    """Name, annotation, default and effect of each parameter as the class states them.

    Read once; what a `ChoiceOf` names is asked for each time, since catalogues may grow.
    """
    if cls not in _STATED:
        hints = get_type_hints(cls.__init__, include_extras=True)
        effects = _effects(cls)
        _STATED[cls] = tuple(
            (name, hints[name], argument.default, effects.get(name, ""))
            for name, argument in inspect.signature(cls.__init__).parameters.items()
            if name != "self"
        )
    return _STATED[cls]


def _parameter(name: str, hint: Any, default: Any, effect: str) -> Parameter:
    notes: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        notes = tuple(extras)
    bounds = next((note for note in notes if isinstance(note, NumberRange)), None)
    symbol = next((note.text for note in notes if isinstance(note, Symbol)), "")
    named = next((note.names() for note in notes if isinstance(note, ChoiceOf)), ())
    choices = get_args(hint) if get_origin(hint) is Literal else tuple(named)
    several = next((note for note in notes if isinstance(note, Several)), None)
    if several is not None:
        return Parameter(
            name,
            "names",
            default,
            effect,
            symbol,
            least=several.least,
            choices=tuple(several.names()),
        )
    return Parameter(
        name=name,
        kind="choice" if choices else hint.__name__,
        default=default,
        effect=effect,
        symbol=symbol,
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        choices=tuple(str(choice) for choice in choices),
    )


def _effects(cls: type[Parametrised]) -> dict[str, str]:
    """The texts in the `Parameters:` sections of a class and its bases, by parameter name."""
    effects: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        text = inspect.cleandoc(base.__dict__.get("__doc__") or "") + "\n"
        section = re.search(r"^Parameters:\n((?:[ ]{4}.*\n|\n)+)", text, re.M)
        entries = re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", section[1] if section else "", re.M)
        effects |= {name: " ".join(effect.split()) for name, effect in entries}
    return effects

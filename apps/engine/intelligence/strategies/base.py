"""What a crawl strategy is, and how its constructor becomes a form, a record and a recipe."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    Protocol,
    Self,
    get_args,
    get_origin,
    get_type_hints,
)

from apps.engine.errors import BadParameter
from apps.engine.model import Floats, Judgement, Longs, Need, Spans, Visit

if TYPE_CHECKING:
    from apps.engine.intelligence.topic_model import TopicModel

Scores = Sequence[float | None] | Floats
Reads = Literal["text", "blocks", "page"]

_ASCII = str.maketrans({
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "Δ": "Delta", "η": "eta",
    "θ": "theta", "₀": "0",
})


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of a number, both included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Symbol:
    """The papers' letter for a parameter (`T`, `β`).

    It is accepted in place of the parameter's name, in ASCII too (`beta`, `Delta`, `alpha0`).
    """

    text: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One constructor parameter: what a form needs to show it and a command to read it.

    `kind` is `int`, `float`, `bool` or `choice`; `effect` is its sentence in the class docstring.
    """

    name: str
    kind: str
    default: Any
    effect: str
    symbol: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """What the parameter may be called, its name last."""
        letters = (self.symbol.translate(_ASCII), self.symbol) if self.symbol else ()
        return (*letters, self.name)

    def read(self, value: Any) -> Any:
        """The value in the parameter's type.

        Raises BadParameter, naming the parameter and what is allowed.
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
        if self.kind == "bool":
            words = {"true": True, "1": True, "on": True, "yes": True}
            words |= {"false": False, "0": False, "off": False, "no": False}
            if str(value).lower() not in words:
                raise ValueError(f"{self.name} must be true or false")
            return words[str(value).lower()]
        return self._number(value)

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


class Frontier(Protocol):
    """What `rescore` may read of the waiting URLs; arrays in order of discovery.

    `numbers` are the waiting URLs' numbers. `edges()` gives, for every link seen from a fetched
    page to a waiting URL, the index into `numbers` and the page's URL number. `combine` turns one
    score an edge into one a waiting URL by the crawl's parent policy.
    """

    numbers: Longs

    def url(self, number: int) -> str: ...
    def parents(self) -> Longs: ...
    def edges(self) -> tuple[Longs, Longs]: ...
    def combine(self, scores: Floats) -> Floats: ...


class Strategy:
    """Gives waiting links their priority.

    The constructor takes hyper-parameters only and stores each under its own name; what is
    learned ends in an underscore. A class attribute `scores` says whether a score belongs to a
    link (`"links"`: several parents are combined by the frontier's policy) or to the URL itself
    (`"urls"`: a new score replaces the old one). `learns_from_pages` says that the τ of every
    fetched page goes into later scores, `scores_move` that a link's score depends on the moment
    (τ and σ of its page being known). `reads` says what a page's links can be scored anew from:
    its words and the links' places (`"text"`), these and the spans of `context` (`"blocks"`), or
    the page alone (`"page"`). `formula` is the score in the paper's letters.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    section: ClassVar[str]
    advice: ClassVar[str]
    needs: ClassVar[frozenset[Need]] = frozenset()
    scores: ClassVar[Literal["links", "urls"]] = "links"
    learns_from_pages: ClassVar[bool] = False
    scores_move: ClassVar[bool] = False
    reads: ClassVar[Reads] = "page"
    formula: str = ""
    reorders_every: int = 0
    first_reorder: int = 0

    def __init__(self) -> None:
        """Has no hyper-parameters."""

    def needed(self) -> frozenset[Need]:
        """What this strategy needs with the hyper-parameters it has; `needs` at their defaults."""
        return self.needs

    def reorder_due(self, pages: int) -> bool:
        """Whether the frontier is to be re-scored once `pages` pages have been fetched."""
        if self.reorders_every == 0:
            return False
        late = pages - (self.first_reorder or self.reorders_every)
        return late >= 0 and late % self.reorders_every == 0

    def fit(self, topic: TopicModel) -> Self:
        """Takes the topic's models. Raises NeedsMissing where the topic lacks something."""
        raise NotImplementedError

    def judge(self, visit: Visit) -> Judgement:
        """τ and σ of a page as this strategy sees them; empty where it does not ask."""
        return Judgement()

    def score_links(self, visit: Visit) -> Scores:
        """A priority in [0, 1] for each of `visit.links.urls`, or None: do not queue it."""
        raise NotImplementedError

    def learn(self, visit: Visit) -> None:
        """Called once a page, before its links are scored."""

    def reads_examples(self) -> bool:
        """Whether labels change what it does."""
        return Need.EXAMPLES in self.needed()

    def relearn(self, visit: Visit) -> Visit:
        """Takes a page fetched before, judged anew after labels: replaces what was kept of its τ.

        Gives the page as its links are to be scored.
        """
        return visit

    def rescore(self, frontier: Frontier) -> Floats | None:
        """New priorities for all of `frontier.numbers`, or None to leave them.

        Called where `reorder_due` says so, after the page's links were queued.
        """
        return None

    def change(self, name: str, value: float) -> None:
        """Changes a parameter while the crawl runs. Raises BadParameter where it cannot."""
        raise BadParameter(f"{name} cannot change while the crawl runs", parameter=name)

    def readings(self) -> dict[str, float]:
        """Numbers to chart with each sample (`alpha`, `delta`, `mean_tau` …)."""
        return {}

    def recall(self, readings: Mapping[str, float]) -> None:
        """Takes back what it read at an earlier page, as far as scores depend on it."""

    def explain(self, visit: Visit) -> dict[str, float]:
        """The terms of this strategy's formula for a page's links, by the paper's letters."""
        return {}

    def explain_link(self, visit: Visit, link: int) -> dict[str, float]:
        """The same with the terms that differ from link to link, for `visit.links.urls[link]`."""
        return self.explain(visit)

    def context(self, visit: Visit) -> Spans | None:
        """The words it reads round each occurrence of a link; None where it reads none.

        One row an occurrence, or one a distinct target.
        """
        return None

    def state(self) -> dict[str, Any]:
        """What was learned, as arrays and plain values (written as npz and JSON)."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes back what `state` gave; called after `fit`."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The constructor's parameters, in order."""
        hints = get_type_hints(cls.__init__, include_extras=True)
        effects = _effects(cls)
        signature = inspect.signature(cls.__init__)
        return tuple(
            _parameter(name, hints[name], argument.default, effects.get(name, ""))
            for name, argument in signature.parameters.items()
            if name != "self"
        )

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Self:
        """A strategy from texts or values, by parameter name or symbol.

        Raises BadParameter for an unknown name or a value out of range.
        """
        by_name = {letter: p for p in cls.parameters() for letter in p.spellings}
        by_name |= {p.name: p for p in cls.parameters()}
        chosen = {}
        for name, value in values.items():
            if name not in by_name:
                known = ", ".join(p.name for p in cls.parameters()) or "none"
                raise BadParameter(f"{cls.id} has no parameter {name}; it has: {known}",
                                   parameter=name)
            chosen[by_name[name].name] = by_name[name].read(value)
        return cls(**chosen)

    def values(self) -> dict[str, Any]:
        """The hyper-parameters in use: `type(self).build(self.values())` is its equal."""
        return {p.name: getattr(self, p.name) for p in self.parameters()}

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.values().items())
        return f"{type(self).__name__}({chosen})"


def _parameter(name: str, hint: Any, default: Any, effect: str) -> Parameter:
    notes: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        notes = tuple(extras)
    bounds = next((note for note in notes if isinstance(note, Range)), None)
    symbol = next((note.text for note in notes if isinstance(note, Symbol)), "")
    choices = get_args(hint) if get_origin(hint) is Literal else ()
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


def _effects(cls: type[Strategy]) -> dict[str, str]:
    """The sentences of the `Parameters:` sections of a class and its bases, by parameter name."""
    effects: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        text = inspect.cleandoc(base.__dict__.get("__doc__") or "") + "\n"
        section = re.search(r"^Parameters:\n((?:[ ]{4}.*\n|\n)+)", text, re.M)
        entries = re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", section[1] if section else "", re.M)
        effects |= {name: " ".join(effect.split()) for name, effect in entries}
    return effects

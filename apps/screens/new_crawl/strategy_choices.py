"""The catalogue as rows of the form: by paper, with each strategy's needs and whether they are
met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from apps.crawls.inputs.needs import strategy_needs
from apps.engine.codes import Need
from apps.engine.intelligence.strategies import CATALOGUE
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.parameters import Parameter

# Crawlsite's own come first: the suggested one is among them.
PAPERS: dict[str, tuple[str, str]] = {
    "Crawlsite": ("Beyond the papers", ""),
    "LC": ("Link contexts", "Pant & Srinivasan 2006"),
    "AFC": ("Relevance feedback", "Chakrabarti et al. 2002"),
    "SLC": ("Selective link context", "Liu, Peng & Zuo"),
    "HCLA": ("Text and link analysis", "Almpanidis et al. 2007"),
    "SL": ("Status locality", "Pant & Srinivasan"),
    "Anthelion": ("A bandit over hosts", "Meusel, Mika & Blanco 2014"),
}


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """One strategy with its needs. `missing` are those the topic does not meet; `mend` is where on
    the topic's pages the first of them can be met, or empty. `evidence` is what a leaderboard says
    of it, `cost` its processor time against the baseline's, each empty if unknown."""

    cls: type[Strategy]
    needs: tuple[str, ...]
    missing: tuple[str, ...]
    mend: str
    parameters: tuple[Parameter, ...]
    evidence: str = ""
    cost: str = ""

    @property
    def id(self) -> str:
        return self.cls.id

    @property
    def in_form(self) -> bool:
        """Whether `mend` is in the topic's form rather than among its inputs."""
        return self.mend.startswith("id_")

    @property
    def kinds(self) -> str:
        """The value of the list's switch that selects it, or empty."""
        return "" if Need.EXAMPLES in self.cls.needs else "without"


@dataclass(frozen=True, slots=True)
class PaperGroup:
    """The strategies of one paper, by its key."""

    key: str
    title: str
    authors: str
    choices: tuple[StrategyChoice, ...]

    @property
    def usable(self) -> tuple[StrategyChoice, ...]:
        """The strategies whose needs the topic meets."""
        return tuple(choice for choice in self.choices if not choice.missing)


@dataclass(frozen=True, slots=True)
class Lack:
    """An input that a topic lacks for several strategies, and where it can be added."""

    missing: tuple[str, ...]
    mend: str
    in_form: bool
    choices: tuple[StrategyChoice, ...]


def lacks(groups: Iterable[PaperGroup]) -> list[Lack]:
    """The strategies that cannot run, by what the topic lacks for them."""
    by_lack: dict[tuple[str, ...], list[StrategyChoice]] = {}
    for group in groups:
        for choice in group.choices:
            if choice.missing:
                by_lack.setdefault(choice.missing, []).append(choice)
    return [
        Lack(missing, choices[0].mend, choices[0].in_form, tuple(choices))
        for missing, choices in by_lack.items()
    ]


def strategy_groups(
    met: frozenset[Need],
    anchor: Callable[[Need], str] = lambda need: "",
    evidence: Mapping[str, str] = MappingProxyType({}),
    costs: Mapping[str, str] = MappingProxyType({}),
) -> list[PaperGroup]:
    """All strategies, papers in their order, strategies in the catalogue's.

    `anchor` returns where a need can be met; `evidence` is by the strategy's id.
    """
    return [
        PaperGroup(
            key,
            *_paper(key),
            tuple(
                replace(
                    _choice(cls, met, anchor),
                    evidence=evidence.get(cls.id, ""),
                    cost=costs.get(cls.id, ""),
                )
                for cls in CATALOGUE
                if _key(cls) == key
            ),
        )
        for key in _keys()
    ]


def _key(cls: type[Strategy]) -> str:
    """The paper a strategy is listed under: its first, if it has several."""
    return cls.paper.split(",")[0].strip()


def _keys() -> Iterator[str]:
    present = {_key(cls) for cls in CATALOGUE}
    yield from (key for key in PAPERS if key in present)
    yield from sorted(present - PAPERS.keys())


def _paper(key: str) -> tuple[str, str]:
    return PAPERS.get(key, (key, ""))


def _choice(
    cls: type[Strategy], met: frozenset[Need], anchor: Callable[[Need], str]
) -> StrategyChoice:
    missing = cls.needs - met
    mend = next(filter(None, map(anchor, sorted(missing))), "")
    return StrategyChoice(
        cls,
        needs=tuple(strategy_needs()[need].short for need in sorted(cls.needs)),
        missing=tuple(strategy_needs()[need].words for need in sorted(missing)),
        mend=mend,
        parameters=cls.parameters(),
    )

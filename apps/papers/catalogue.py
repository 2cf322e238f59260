"""The protocols of the papers, read from their TOML files and checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from apps.engine.evaluation import MEASURES
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.utility import Utility
from apps.experiments.design.schema import Design
from apps.experiments.design.variants import variants
from apps.papers.facts import FACTS
from apps.papers.papers import PAPERS
from apps.papers.schema import Claim, PaperDesign, PaperProtocol
from apps.papers.swings import START_UP
from apps.papers.tables import TABLES
from apps.papers.tables.observed import Quantity
from apps.schemas.refused import Refused

FOLDER = Path(__file__).with_name("protocols")
TELEMETRY = (Quantity("alpha", "α", "score"),)
SWINGS = (
    Quantity("alpha_swing", f"First swing of α, within {START_UP} pages", "score"),
    Quantity("alpha_return", "Way back of α after it", "score"),
)
PAGES = Quantity("pages", "Pages fetched", "count")


@cache
def protocols() -> Mapping[str, PaperProtocol]:
    """Every protocol by its id, the name of its file. Raises Refused for a wrong file."""
    return {path.stem: read_protocol(path) for path in sorted(FOLDER.glob("*.toml"))}


def in_order() -> Sequence[str]:
    """The ids of all protocols by paper, then by the number of the first figure or table."""
    return sorted(protocols(), key=lambda id: order_of(protocols()[id]))


def order_of(protocol: PaperProtocol) -> tuple[int, int, str]:
    """The sort key of protocols: paper, number of the first figure or table, section."""
    number = re.search(r"(?:Fig\.|Table) (\d+)", protocol.where)
    return [*PAPERS].index(protocol.paper), int(number[1]) if number else 0, protocol.where


def read_protocol(path: Path) -> PaperProtocol:
    """The protocol in a TOML file. Raises Refused at the field, with the file's name."""
    try:
        protocol = PaperProtocol.read(tomllib.loads(path.read_text("utf-8")))
        check(protocol)
    except tomllib.TOMLDecodeError as error:
        raise Refused("", f"{path.name} is not TOML: {error}.") from None
    except Refused as refused:
        raise Refused(f"{path.name}: {refused.field}", refused.message) from None
    return protocol


def quantities(protocol: PaperProtocol) -> Mapping[str, Quantity]:
    """The quantities that a run of the protocol observes, by id."""
    if protocol.table is not None:
        observed = TABLES[protocol.table].observes
    else:
        measures = (Quantity(each.id, each.title, each.unit) for each in MEASURES)
        observed = (*measures, *TELEMETRY, *SWINGS, PAGES, *(fact.quantity for fact in FACTS))
    return {each.id: each for each in observed}


def design_of(plan: PaperDesign, name: str, web: str, topics: Collection[str] = ()) -> Design:
    """The design of the plan's experiment on a web."""
    return Design.read(
        {
            "name": name,
            "web": web,
            "topics": list(topics),
            "pages": plan.pages,
            "judge": plan.judge,
            "measure": plan.measure,
            "random_seed": plan.random_seed,
            "crawlers": [each.model_dump(exclude={"name"}) for each in plan.crawlers],
        }
    )


def check(protocol: PaperProtocol) -> None:
    """Raises Refused for what the schema alone cannot see."""
    if (protocol.experiment is None) == (protocol.table is None):
        raise Refused("", "Give either an experiment or the name of a table.")
    if protocol.table is not None and protocol.table not in TABLES:
        raise Refused("table", f"Give one of {', '.join(TABLES)}.")
    if protocol.experiment is not None:
        _check_plan(protocol.experiment)
    observed = quantities(protocol)
    _check_names("shows", protocol.shows, observed, "quantity")
    ids = [claim.id for claim in protocol.claims]
    for claim in protocol.claims:
        if ids.count(claim.id) > 1:
            raise Refused("claims", f"{claim.id} is there twice.")
        for fault in _faults(claim, protocol, observed):
            raise Refused(f"claims.{claim.id}", fault)


def crawlers_of(protocol: PaperProtocol) -> tuple[str, ...]:
    """The names of a protocol's crawlers."""
    if protocol.table is not None:
        return TABLES[protocol.table].lines
    assert protocol.experiment is not None
    return tuple(each.name for each in protocol.experiment.crawlers)


def _check_plan(plan: PaperDesign) -> None:
    names = [crawler.name for crawler in plan.crawlers]
    if len(set(names)) < len(names):
        raise Refused("experiment.crawlers", "Two crawlers have one name.")
    if len(variants(design_of(plan, "plan", "web"))) != len(names):
        raise Refused("experiment.crawlers", "Give each variant as a crawler with its own name.")
    for crawler in plan.crawlers if plan.explores_theta else ():
        if not issubclass(strategy(crawler.strategy), Utility):
            raise Refused("experiment.explores_theta", f"{crawler.strategy} has no θ.")


def _check_names(field: str, given: Collection[str], names: Collection[str], kind: str) -> None:
    for name in given:
        if name not in names:
            raise Refused(field, _unknown(name, names, kind))


def _unknown(name: str, names: Collection[str], kind: str) -> str:
    return f"There is no {kind} {name}; there are: {', '.join(names)}."


def _faults(
    claim: Claim, protocol: PaperProtocol, observed: Mapping[str, Quantity]
) -> Iterator[str]:
    """The faults of a claim."""
    kinds = [bool(claim.pairs), bool(claim.order), bool(claim.figures), bool(claim.cannot)]
    if sum(kinds) != 1:
        yield "Give one of pairs, order, figures and cannot."
    if claim.cannot:
        return
    if not claim.measures:
        yield "Give the measures it is about."
    for name in claim.measures:
        if name not in observed:
            yield _unknown(name, observed, "quantity")
    named = {*claim.order, *claim.figures, *(name for pair in claim.pairs for name in pair)}
    crawlers = crawlers_of(protocol)
    for name in sorted(named.difference(crawlers)):
        yield _unknown(name, crawlers, "crawler")
    yield from _faults_of_decision(claim)


def _faults_of_decision(claim: Claim) -> Iterator[str]:
    if claim.figures and claim.direction not in (None, "higher", "lower"):
        yield "A published figure is met, or exceeded with the direction higher or lower."
    if not claim.figures and claim.direction is None:
        yield "Give the direction of the difference."
    if claim.during and not 0 <= claim.during[0] < claim.during[1] <= 1:
        yield "during is two shares of the crawl, from 0 to 1, the smaller one first."
    if len(claim.order) == 1 or (claim.order and claim.direction not in ("higher", "lower")):
        yield "A trend has two crawlers or more, and its last is higher or lower than its first."
    needs_margin = claim.direction not in ("higher", "lower")
    if needs_margin and claim.within is None:
        yield "Give within: how near counts as equal."
    if not needs_margin and claim.within is not None:
        yield "within is for figures and for what is equal or not higher or lower."

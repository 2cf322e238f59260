"""The protocols of the papers, read from their TOML files and checked."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from apps.engine.evaluation import MEASURES
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.utility import Utility
from apps.experiments.design.schema import Design
from apps.experiments.design.variants import variants
from apps.experiments.protocols.facts import FACTS
from apps.experiments.protocols.schema import Claim, PaperProtocol, Plan
from apps.experiments.reproduce import TABLES
from apps.experiments.reproduce.observed import Quantity
from apps.schemas.input import Refused

FOLDER = Path(__file__).with_name("papers")
TELEMETRY = (Quantity("alpha", "α", "score"),)
PAGES = Quantity("pages", "Pages fetched", "count")


@cache
def protocols() -> Mapping[str, PaperProtocol]:
    """Every protocol by its id, the name of its file. Raises Refused for a wrong file."""
    return {path.stem: read_protocol(path) for path in sorted(FOLDER.glob("*.toml"))}


def read_protocol(path: Path) -> PaperProtocol:
    """The protocol in a TOML file. Raises Refused at the field, with the file's name."""
    try:
        found = PaperProtocol.read(tomllib.loads(path.read_text("utf-8")))
        check(found)
    except tomllib.TOMLDecodeError as error:
        raise Refused("", f"{path.name} is not TOML: {error}.") from None
    except Refused as refused:
        raise Refused(f"{path.name}: {refused.field}", refused.message) from None
    return found


def quantities(protocol: PaperProtocol) -> Mapping[str, Quantity]:
    """What a run of the protocol observes, by id."""
    if protocol.table is not None:
        known = TABLES[protocol.table].observes
    else:
        measures = (Quantity(each.id, each.title, each.unit) for each in MEASURES)
        known = (*measures, *TELEMETRY, PAGES, *(fact.quantity for fact in FACTS))
    return {each.id: each for each in known}


def design_of(plan: Plan, name: str, web: str, topics: Collection[str] = ()) -> Design:
    """The design of the plan's experiment on a web."""
    return Design.read({
        "name": name, "web": web, "topics": list(topics), "pages": plan.pages,
        "judge": plan.judge, "measure": plan.measure, "random_seed": plan.random_seed,
        "crawlers": [each.model_dump(exclude={"name"}) for each in plan.crawlers],
    })  # fmt: skip


def check(protocol: PaperProtocol) -> None:
    """Raises Refused for what the schema alone cannot see."""
    if (protocol.experiment is None) == (protocol.table is None):
        raise Refused("", "Give either an experiment or the name of a table.")
    if protocol.table is not None and protocol.table not in TABLES:
        raise Refused("table", f"Give one of {', '.join(TABLES)}.")
    if protocol.experiment is not None:
        _check_plan(protocol.experiment)
    known = quantities(protocol)
    _check_names("shows", protocol.shows, known, "quantity")
    ids = [claim.id for claim in protocol.claims]
    for claim in protocol.claims:
        if ids.count(claim.id) > 1:
            raise Refused("claims", f"{claim.id} is there twice.")
        for fault in _faults(claim, protocol, known):
            raise Refused(f"claims.{claim.id}", fault)


def crawlers_of(protocol: PaperProtocol) -> tuple[str, ...]:
    """The names of a protocol's crawlers."""
    if protocol.table is not None:
        return TABLES[protocol.table].lines
    assert protocol.experiment is not None
    return tuple(each.name for each in protocol.experiment.crawlers)


def _check_plan(plan: Plan) -> None:
    names = [crawler.name for crawler in plan.crawlers]
    if len(set(names)) < len(names):
        raise Refused("experiment.crawlers", "Two crawlers have one name.")
    if len(variants(design_of(plan, "plan", "web"))) != len(names):
        raise Refused("experiment.crawlers", "Give each variant as a crawler with its own name.")
    for crawler in plan.crawlers if plan.explores_theta else ():
        if not issubclass(strategy(crawler.strategy), Utility):
            raise Refused("experiment.explores_theta", f"{crawler.strategy} has no θ.")


def _check_names(field: str, given: Collection[str], known: Collection[str], kind: str) -> None:
    for name in given:
        if name not in known:
            raise Refused(field, _unknown(name, known, kind))


def _unknown(name: str, known: Collection[str], kind: str) -> str:
    return f"There is no {kind} {name}; there are: {', '.join(known)}."


def _faults(
    claim: Claim, protocol: PaperProtocol, known: Mapping[str, Quantity]
) -> Iterator[str]:
    """What is wrong with a claim."""
    kinds = [bool(claim.pairs), bool(claim.order), bool(claim.figures), bool(claim.cannot)]
    if sum(kinds) != 1:
        yield "Give one of pairs, order, figures and cannot."
    if claim.cannot:
        return
    if not claim.measures:
        yield "Give the measures it is about."
    for name in claim.measures:
        if name not in known:
            yield _unknown(name, known, "quantity")
    named = {*claim.order, *claim.figures, *(name for pair in claim.pairs for name in pair)}
    crawlers = crawlers_of(protocol)
    for name in sorted(named.difference(crawlers)):
        yield _unknown(name, crawlers, "crawler")
    yield from _faults_of_decision(claim)


def _faults_of_decision(claim: Claim) -> Iterator[str]:
    if claim.figures:
        if claim.direction is not None:
            yield "A published figure has no direction."
    elif claim.direction is None:
        yield "Give the direction of the difference."
    if len(claim.order) == 1 or (claim.order and claim.direction not in ("higher", "lower")):
        yield "A trend has two crawlers or more, and its last is higher or lower than its first."
    needs_margin = bool(claim.figures) or claim.direction not in (None, "higher", "lower")
    if needs_margin and claim.within is None:
        yield "Give within: how near counts as equal."
    if not needs_margin and claim.within is not None:
        yield "within is for figures and for what is equal or not higher or lower."

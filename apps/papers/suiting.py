"""Whether a web has what a protocol needs, by the counts of its labels alone."""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.errors import EngineError
from apps.papers.schema import PaperProtocol
from apps.papers.setting_up import FEWEST_TOPICS, Sizes, division, sized
from apps.papers.tables import TABLES
from apps.schemas.refused import Refused
from apps.topics.from_labels import count_fitting_labels
from apps.webs.labels import label_counts
from apps.webs.messages import error_words
from apps.webs.models import Web

MADE_FOR = {"department": "webkb", "Information_Retrieval": "cora"}
"""The published webs of the labels that tables need."""


@dataclass(frozen=True, slots=True)
class Suits:
    """How many topics a protocol would have on a web (None for a table), or in a sentence what the
    web `lacks`; `web` is the name of a published one that has it."""

    topics: int | None = None
    lacks: str = ""
    web: str = ""


def suits(protocol: PaperProtocol, web: Web, sizes: Sizes) -> Suits:
    """How well a web suits a protocol."""
    try:
        return _table(protocol, web) if protocol.table else _experiment(protocol, web, sizes)
    except Refused as refused:
        return Suits(lacks=refused.message)
    except EngineError as error:
        return Suits(lacks=error_words(error))


def _table(protocol: PaperProtocol, web: Web) -> Suits:
    table = TABLES[protocol.table or ""]
    label = table.label
    is_generated = web.source == Web.Source.DEMO and not label and not table.in_parts
    if web.source != Web.Source.FOLDER and not is_generated:
        return Suits(lacks="It needs an uploaded web.", web=MADE_FOR.get(label, ""))
    if not label or any(label in name.split("/") for name in label_counts(web)):
        return Suits()
    parts = " whose pages name their part," if table.in_parts else ""
    return Suits(
        lacks=f"It needs a web{parts} with the label {label}.", web=MADE_FOR.get(label, "")
    )


def _experiment(protocol: PaperProtocol, web: Web, sizes: Sizes) -> Suits:
    plan = sized(protocol, sizes)
    how = division(plan.topics, web)
    fitting = count_fitting_labels(web, how)
    if fitting < FEWEST_TOPICS:
        return Suits(lacks=f"It needs two labels of {how.fewest} pages or more.")
    return Suits(topics=min(fitting, plan.topics.most))

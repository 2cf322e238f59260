"""The schema of a study of effectiveness in a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import Field

from apps.engine.intelligence.evidence.link_knowledge import PARTS
from apps.engine.intelligence.strategies.weighted_evidence import SHIPPED
from apps.experiments.design.schema import MOST_TOPICS, CrawlerDesign, Pages, RandomSeed
from apps.schemas.input import Input, Text
from apps.schemas.refused import Refused

OWN = Path(__file__).with_name("study.toml")
Weight = Annotated[float, Field(ge=0, le=10)]


class LearnerWeights(Input):
    """The learner with other weights than those it has, where some are given.

    `hold` is its parameter; without `background` it has no unlabelled pages.
    """

    name: Text
    weights: dict[str, Weight] = {}
    hold: Annotated[float, Field(ge=0.1, le=1000)] = 15.0
    background: bool = True

    def all_weights(self) -> dict[str, float]:
        """The weight of every part."""
        return {**SHIPPED, **self.weights}


class StudyPlan(Input):
    """Crawlers compared by recall of targets at `pages` pages, on topics made of a web's labels.

    All strategies of the catalogue that fit are run at their defaults, and `crawlers` besides.
    `candidates` are the weights that cross-validation chooses from; `ablations` leave out parts of
    the learner as it is.
    """

    pages: Pages = 500
    topics: Annotated[int, Field(ge=2, le=MOST_TOPICS)] = 20
    random_seed: RandomSeed = 1
    crawlers: Annotated[tuple[CrawlerDesign, ...], Field(strict=False)] = ()
    candidates: Annotated[tuple[LearnerWeights, ...], Field(min_length=1, strict=False)]
    ablations: Annotated[tuple[LearnerWeights, ...], Field(strict=False)] = ()


def read_plan(path: Path) -> StudyPlan:
    """The plan in a TOML file. Raises Refused."""
    try:
        plan = StudyPlan.read(tomllib.loads(path.read_text("utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise Refused("", f"{path.name} is not TOML: {error}.") from None
    except OSError as error:
        raise Refused("", f"{path} cannot be opened: {error.strerror}.") from None
    names = [each.name for each in (*plan.candidates, *plan.ablations)]
    if len(set(names)) < len(names):
        raise Refused("candidates", "Two have one name.")
    for each in (*plan.candidates, *plan.ablations):
        if unknown := sorted(set(each.weights) - set(PARTS)):
            raise Refused(
                f"candidates.{each.name}",
                f"There is no part {unknown[0]}; there are: {', '.join(PARTS)}.",
            )
    return plan

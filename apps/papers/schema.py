"""A paper's claims and the protocol that tests them, as they stand in a TOML file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from apps.crawls.schemas import JUDGES
from apps.directories.splits import Protocol as SplitRule
from apps.engine.evaluation import MEASURES
from apps.engine.frontier.parents import POLICIES
from apps.experiments.design.schema import MOST_CRAWLERS, MOST_TOPICS, Pages, RandomSeed
from apps.papers.tables.observed import Part, Span
from apps.schemas.input import Input, Text, accepts
from apps.schemas.one_of import OneOf

Paper = Literal["LC", "AFC", "SLC", "HCLA", "SL"]
Direction = Literal["higher", "lower", "equal", "not higher", "not lower"]
Names = Annotated[tuple[Text, ...], Field(strict=False)]
Pair = Annotated[
    tuple[Text, ...], Field(min_length=2, max_length=2, strict=False), accepts("two crawlers")
]


class TopicsOfLabels(Input):
    """How a web's labels become topics: divided by the rule of a paper, with `size` URLs in each
    part that is drawn (null: as many as the paper's).

    Labels with `fewest` to `largest` pages are taken, `most` of them drawn by the experiment's
    random seed.
    """

    rule: SplitRule
    size: Annotated[int | None, Field(ge=2, le=10_000)] = None
    fewest: Annotated[int | None, Field(ge=4)] = None
    largest: Annotated[int | None, Field(ge=4)] = None
    most: Annotated[int, Field(ge=1, le=MOST_TOPICS)] = 100


class NamedCrawler(Input):
    """A crawler under its name in the paper."""

    name: Text
    strategy: Text
    parameters: dict[str, Any] = {}
    parent_policy: Annotated[str, OneOf(POLICIES)] = "max"


class PaperDesign(Input):
    """An experiment over topics made of a web's labels.

    With `explores_theta`, θ of all utility crawlers is the median prediction over the pages of an
    exploratory crawl of the first topic (SL note 7).
    """

    topics: TopicsOfLabels
    crawlers: Annotated[
        tuple[NamedCrawler, ...], Field(min_length=1, max_length=MOST_CRAWLERS, strict=False)
    ]
    pages: Pages
    judge: Annotated[str, OneOf(JUDGES)]
    measure: Annotated[str, OneOf(measure.id for measure in MEASURES)]
    explores_theta: bool = False
    random_seed: RandomSeed = 1


class Claim(Input):
    """One statement of a paper and what would decide it.

    `sentence` is its statement, `where` its section, `published` its figure or level of
    significance in the paper's words. It is about each of `measures`: about `pairs` of crawlers of
    which the first is higher, lower or equal; about a trend along `order`, from its first crawler
    to its last; or about `figures`, the published value of each crawler. Equal means a difference
    of less than `within`, and a figure is met if ours is within `within` of it or, with a
    direction, higher or lower than it. The values are those at the end of the crawl or, with
    `during`, the means from one share of its budget to another; those of the hardest or of the
    easiest quarter of the topics (LC §10.2) with `part`. With `relative` a difference is given as a
    share of the second crawler's mean. `needs` is what a test needs that a web may lack, `cannot`
    why it cannot be made here at all. With `of_its_data` a figure is a level of the paper's own
    data, which other data may meet but cannot contradict. `cause` is what a contradiction on the
    webs of docs/reproduction.md comes from, as far as that was looked into.
    """

    id: Annotated[
        str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$"), accepts("words joined by hyphens")
    ]
    sentence: Text
    where: Text
    published: Text
    measures: Names = ()
    pairs: Annotated[tuple[Pair, ...], Field(strict=False)] = ()
    order: Names = ()
    figures: dict[str, float] = {}
    direction: Direction | None = None
    within: Annotated[float | None, Field(gt=0)] = None
    during: Annotated[Span | None, Field(strict=False)] = None
    part: Part = "all"
    relative: bool = False
    needs: Annotated[str, Field(max_length=2_000)] = ""
    cannot: Annotated[str, Field(max_length=2_000)] = ""
    of_its_data: bool = False
    cause: Annotated[str, Field(max_length=2_000)] = ""


class PaperProtocol(Input):
    """A table or group of figures of a paper, how it is run again, and its claims.

    It has either an `experiment` or the name of a `table`. `method` says what is done and where it
    differs from the paper. `shows` are the quantities of which the document has means, by default
    those of the claims. `notes` are remarks for it.
    """

    title: Text
    paper: Paper
    where: Text
    method: Annotated[str, Field(min_length=1, max_length=10_000)]
    experiment: PaperDesign | None = None
    table: Text | None = None
    shows: Names = ()
    claims: Annotated[tuple[Claim, ...], Field(strict=False)] = ()
    notes: Names = ()

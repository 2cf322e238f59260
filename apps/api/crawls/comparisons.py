"""Comparing crawls."""

from __future__ import annotations

from typing import Any

from ninja import Query, Router, Schema
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.refusals import Refusal
from apps.experiments.results.crawls.chosen import LEAST, MOST, chosen_crawls, read_numbers
from apps.experiments.results.crawls.comparison import as_dict, compare
from apps.experiments.results.crawls.course import CurveAxis
from apps.experiments.results.crawls.verdict import SINGLE
from apps.experiments.results.paired_tests import Test

router = Router(tags=["comparisons"])


class ComparedCrawls(Schema):
    """The crawls and the axis."""

    crawls: str = Field(
        "",
        max_length=400,
        description=f"Numbers of {LEAST} to {MOST} crawls with commas; the first is the baseline.",
    )
    x: CurveAxis = Field(CurveAxis.PAGES, description="The axis of areas and curves.")
    curves: bool = Field(False, description="With the curves, thinned for drawing.")


class ComparedOut(Schema):
    """One of the crawls; `label` is its unique short name."""

    crawl: int
    label: str
    topic: str
    strategy: str
    web: str
    judged_by: str | None
    state: str
    pages: int
    seconds: float
    cpu_seconds: float
    random_seed: int


class CrawlValuesOut(Schema):
    """A measure of one crawl: its final value, its best after the first fifth and where, its mean
    over the span, its value at the common number of pages, and the difference from the
    baseline’s."""

    crawl: int
    final: float | None
    best: float | None
    best_at: float | None
    area: float | None
    at_common: float | None
    difference: float | None


class ComparedMeasureOut(Schema):
    """A measure that any of the crawls has. `comparable` is false if they had other judges, targets
    or webs; `span` is the part of the axis that all of them cover."""

    measure: str
    title: str
    unit: str
    comparable: bool
    span: tuple[float, float] | None
    values: list[CrawlValuesOut]


class SettingOut(Schema):
    """A setting that differs, with one value for each crawl, null if it has no such setting."""

    name: str
    values: list[Any]


class UnlikeOut(Schema):
    """A difference between the crawls of a topic, so that they cannot be compared by the measures
    that depend on it."""

    topic: str
    what: str
    sentence: str


class AloneOut(Schema):
    """Pages that only one of the crawls has fetched."""

    crawl: int
    pages: int


class PairOut(Schema):
    """Pages of two crawls; `share` is the intersection over the union."""

    first: int
    second: int
    first_alone: int
    both: int
    second_alone: int
    share: float | None


class PagesOut(Schema):
    """Distinct pages of a topic’s crawls, by their final addresses. Up to page `alike_until` all
    fetched the same in the same order; `unlisted` pages are not indexed yet."""

    topic: str
    different: int
    in_all: int
    alone: list[AloneOut]
    pairs: list[PairOut]
    same_pages: bool
    same_order: bool
    alike_until: int
    unlisted: int


class CurveOut(Schema):
    """A measure of one crawl over the axis."""

    crawl: int
    measure: str
    x: list[float]
    y: list[float]


class ComparisonOut(Schema):
    """Crawls compared. Shares are 0–1, undefined values null; `sentence` names the best at
    `common_pages`, the largest number of pages that all have reached, and `cannot` what may not be
    concluded."""

    x: CurveAxis
    common_pages: int | None = Field(examples=[1000])
    sentence: str = Field(
        examples=[
            "Tag tree combo found 23 % more targets than Full page at 1,000 pages (27 against 22 "
            "of 40)."
        ]
    )
    more: str = Field(examples=["Against Full page: Breadth-first 31 % fewer."])
    cannot: list[str] = Field(examples=[[SINGLE]])
    unlike: list[UnlikeOut]
    cautions: list[str]
    crawls: list[ComparedOut]
    measures: list[ComparedMeasureOut]
    settings: list[SettingOut]
    pages: list[PagesOut]
    tests: list[Test]
    curves: list[CurveOut] | None


@router.get(
    "/compare", response={200: ComparisonOut, 404: Refusal, 422: Refusal}, summary="Compare crawls"
)
def compare_crawls(request: SignedInRequest, wanted: Query[ComparedCrawls]) -> Any:
    """Compares crawls that you may see: each measure, the settings that differ, the pages they have
    in common, and a sentence no stronger than the data. Crawls of several topics are tested in
    pairs if the same crawlers crawled them."""
    crawls = chosen_crawls(request.user, read_numbers([wanted.crawls]))
    return as_dict(compare(crawls, wanted.x), wanted.curves)

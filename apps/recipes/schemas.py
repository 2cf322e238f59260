"""The format of recipes: JSON with everything it takes to run a crawl again, here or elsewhere.

A recipe holds the topic as it was when the crawl began (addresses, no page bodies), the tables,
classes and background the crawl was given, the recipe of the crawl it learned from, the strategy
with its parameters, the random seed, the name of the web, and the versions it was run with.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from apps.crawls.schemas import CrawlSettings
from apps.engine.urls import canonical
from apps.lists.addresses import LONGEST as MAX_URL
from apps.schemas.input import Input, Storable, Text, accepts
from apps.schemas.one_of import OneOf
from apps.topics.definition.lines import host_name
from apps.topics.definition.schemas import (
    Count,
    Counts,
    Definition,
    HostNames,
    Lines,
    Name,
    TopicText,
    count_lines,
)
from apps.topics.models import Example, InputTable

MOST_EARLIER = 10
Kind = Annotated[str, OneOf(InputTable.Kind.values)]
_PAGES = ("seeds", "targets", "backlinks", "corpus")
_LISTS = {
    (Example.Role.TRAIN.value, True): "positives",
    (Example.Role.TRAIN.value, False): "negatives",
    (Example.Role.EVALUATE.value, True): "evaluation_positives",
    (Example.Role.EVALUATE.value, False): "evaluation_negatives",
}


def _canonical(url: str) -> str:
    if canonical(url) != url:
        raise ValueError("no canonical address")
    return url


def _own_host_name(text: str) -> str:
    if host_name(text) != text:
        raise ValueError("no host name")
    return text


def _whole(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() else text


class RecipeExample(Input):
    """An example by its address."""

    url: Annotated[str, AfterValidator(_canonical), accepts("a web address")]
    relevant: bool
    role: Annotated[str, OneOf(Example.Role.values)]
    source: Annotated[str, OneOf(Example.Source.values)] = Example.Source.NAMED.value
    weight: Annotated[float, Field(gt=0, le=100)] = 1.0

    @property
    def is_named(self) -> bool:
        """Whether it counts as named; drawn negatives do, since the recipe fixes the draw."""
        return self.source in (Example.Source.NAMED, Example.Source.OTHER_TOPIC)


class RecipeTopic(TopicText):
    """The topic as it was when the crawl began."""

    seeds: Lines = ()
    targets: Lines = ()
    inlinks: Counts = {}
    backlinks: Lines = ()
    corpus: Lines = ()
    hosts_in: HostNames = ()
    hosts_out: HostNames = ()
    examples: Annotated[tuple[RecipeExample, ...], Field(strict=False, max_length=100_000)] = ()

    def definition(self, name: str, web_id: int | None) -> Definition:
        """The topic under that name, without the examples that were gathered."""
        lists = {each: list(getattr(self, each)) for each in _PAGES}
        for example in self.examples:
            if example.is_named:
                list_name = _LISTS[example.role, example.relevant]
                lists.setdefault(list_name, []).append(example.url)
        texts = {each: "\n".join(urls) for each, urls in lists.items()}
        text = {name: getattr(self, name) for name in TopicText.model_fields}
        return Definition(
            **{
                **text,
                "name": name,
                "web_id": web_id,
                "lists": {**texts, "inlinks": count_lines(self.inlinks)},
            }
        )


class PackedTable(Input):
    """A table: `data` are `rows` lines `key<TAB>number`, deflated, in base64; the digest is of
    the lines."""

    name: Annotated[Storable, StringConstraints(max_length=200)]
    rows: Annotated[int, Field(ge=0)]
    sha256: str
    data: str


class HostRow(Input):
    """A row of a table by hosts: a rank, a count, or 1 for a listed site."""

    key: Annotated[str, AfterValidator(_own_host_name), accepts("a host name")]
    number: Annotated[Count, BeforeValidator(_whole)]

    @classmethod
    def of_line(cls, line: str) -> Self:
        """The row in a line `key<TAB>number`. Raises Refused."""
        key, _, number = line.partition("\t")
        return cls.read({"key": key, "number": number})


class AddressRow(HostRow):
    """A row of a table of in-link counts."""

    key: Annotated[
        str,
        StringConstraints(max_length=MAX_URL),
        AfterValidator(_canonical),
        accepts("a web address"),
    ]


class PackedBackground(Input):
    """The texts of a background; `data` is their file, deflated, in base64; `digest` names them.
    `use` is `none` for a crawl that was to have none; then there are no texts."""

    use: Literal["texts", "none"] = "texts"
    name: Annotated[Storable, StringConstraints(max_length=100)] = ""
    digest: Annotated[Storable, StringConstraints(max_length=40)] = ""
    data: str = ""


class RecipeWeb(Input):
    """The web by its name."""

    name: Text
    source: Text


class OtherTopics(Input):
    """The other topics of a strategy that separates topics, with their positive examples."""

    topics: Annotated[dict[Name, Lines], Field(max_length=1_000)]


class Category(Input):
    """The category of a directory that they are the classes of."""

    directory: Text
    path: Text


class Earlier(Input):
    """The crawl that this one learned from, by its first pages."""

    pages: Annotated[int, Field(ge=1)]
    recipe: Recipe


def _not_too_deep(earlier: Earlier | None) -> Earlier | None:
    depth, each = 0, earlier
    while each is not None:
        depth, each = depth + 1, each.recipe.earlier
    if depth > MOST_EARLIER:
        raise ValueError("too many")
    return earlier


class Recipe(CrawlSettings):
    """A crawl as a recipe. `made_by`, `crawl` and `changes` are for information only."""

    format: Annotated[Literal[1], accepts("1, the format of recipes that this crawlsite reads")]
    made_by: dict[str, Any] = {}
    crawl: dict[str, Any] = {}
    topic: RecipeTopic
    web: RecipeWeb
    parameters: dict[str, Any]
    random_seed: Annotated[int, Field(ge=0, le=2**62 - 1)]
    inputs: dict[str, Any] = {}
    tables: Annotated[
        dict[Kind, PackedTable],
        accepts(
            f"an object of tables ({', '.join(InputTable.Kind.values)}), each with name, rows,"
            " sha256 and data"
        ),
    ] = {}
    background: PackedBackground | None = None
    classes: Annotated[
        OtherTopics | Category | None,
        accepts("topics with their pages, or a directory and a path, or leave it empty"),
    ] = None
    earlier: Annotated[
        Earlier | None,
        AfterValidator(_not_too_deep),
        accepts(f"the recipe of an earlier crawl, which may have up to {MOST_EARLIER} before it"),
    ] = None
    changes: tuple[dict[str, Any], ...] = Field((), strict=False)

    def settings(self) -> dict[str, Any]:
        """The arguments of `services.create_crawl`. Without entries for sitemaps, feeds and
        documents the crawl requests none."""
        settings = {name: getattr(self, name) for name in CrawlSettings.model_fields}
        scope = self.scope.model_dump(mode="json")
        return settings | {"scope": scope | {"site_lists": bool(scope["site_lists"])}}

    @property
    def scanned(self) -> bool:
        """Whether the crawl's in-links or back-links come from a scan of its recorded web."""
        of = {str(part.get("of")) for part in self.inputs.values() if isinstance(part, dict)}
        return not of.isdisjoint({"counted", "found", "both"})

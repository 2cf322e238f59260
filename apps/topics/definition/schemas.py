"""The definition of a topic: one schema for its form, its file, the API, recipes and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Generic, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from apps.engine.urls import canonical, registered_domain
from apps.lists.numbers import LARGEST
from apps.schemas.input import Input, Key, Printable, accepts
from apps.schemas.one_of import OneOf
from apps.topics.definition.host_names import parse_name
from apps.topics.definition.lines import host_name, storable
from apps.topics.models import Topic

MOST_NEGATIVES_A_POSITIVE = 10


def _tidied(tidy: Callable[[str], str]) -> BeforeValidator:
    return BeforeValidator(lambda value: tidy(value) if isinstance(value, str) else value)


_CODE = "[A-Za-z]{2}(-[A-Za-z]{2})?"
LANGUAGES = rf"^([A-Za-z]{{2,3}}(-[A-Za-z]{{2,4}})?|{_CODE}([ ,]+{_CODE}){{1,2}})?$"
"""One language with or without a region, or several."""


def _host(text: str) -> str:
    host = host_name(text)
    if host is None:
        raise ValueError("no host name")
    return host


def _decided_name(text: str) -> str:
    name = parse_name(text)
    if name is None:
        raise ValueError("no host")
    return name


def host_states(inside: Iterable[str], outside: Iterable[str]) -> dict[str, str]:
    """`in` or `out` by the names; a host in both is out."""
    return dict.fromkeys(inside, "in") | dict.fromkeys(outside, "out")


def _each_once(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


Line = Annotated[str, _tidied(lambda text: " ".join(storable(text).split()))]
Lines = Annotated[tuple[Line, ...], Field(strict=False)]
Paragraph = Annotated[str, _tidied(lambda text: storable(text).strip())]
Keyword = Annotated[Line, StringConstraints(max_length=200)]
Host = Annotated[str, AfterValidator(_host)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Rank = Annotated[int, Field(ge=1, le=LARGEST)]
Name = Annotated[Line, StringConstraints(min_length=1, max_length=200), Printable]


def _languages(text: str) -> str:
    """`en, de` → `en de`; with several languages the regions do not matter."""
    codes = text.replace(",", " ").split()
    several = dict.fromkeys(code.partition("-")[0].lower() for code in codes)
    return " ".join(several if len(several) > 1 else codes[:1])


class TopicText(Input):
    """A topic without its lists. The language, or languages, is empty if it is to be detected;
    without a `hold_out` the topic keeps the one it has."""

    name: Annotated[
        Name, accepts("the topic a name of up to 200 characters without control characters")
    ]
    description: Annotated[Paragraph, StringConstraints(max_length=10_000)] = ""
    keywords: Annotated[
        tuple[Keyword, ...], Field(max_length=1_000, strict=False), AfterValidator(_each_once)
    ] = ()
    language: Annotated[
        str,
        StringConstraints(pattern=LANGUAGES),
        AfterValidator(_languages),
        accepts("a language by its code, as in en or pt-BR, or up to three, as in en de"),
    ] = ""
    web_label: Annotated[Paragraph, StringConstraints(max_length=200)] = ""
    negatives_per_positive: Annotated[int, Field(ge=1, le=MOST_NEGATIVES_A_POSITIVE)] = 2
    hold_out: Annotated[str, OneOf(Topic.HoldOut.values)] | None = None


class Definition(TopicText):
    """A topic as it was typed. `lists` holds the text of each of `LISTS`; missing ones are empty.

    `web_id` is None for the live Web, `random_seed` None where the topic keeps the one it has.
    """

    web_id: Key | None = None
    random_seed: Annotated[int | None, Field(ge=0, le=2**31 - 1)] = None
    lists: Mapping[str, Annotated[str, _tidied(storable)]] = {}


class BroughtPage(Input):
    """A page of a list together with its HTML, which is then not fetched."""

    url: Line
    html: str | None = None


Entry = TypeVar("Entry")
Entries = Annotated[tuple[Entry, ...], Field(strict=False)]
PageEntry = Annotated[Line | BroughtPage, accepts('an address or {"url": …, "html": …}')]
Counts = Annotated[
    dict[Line, Count], accepts("an object of addresses, each with a whole number from 0")
]
Ranks = Annotated[
    dict[Host, Rank], accepts("an object of host names, each with its rank, from 1 up")
]
HostNames = Annotated[
    tuple[Annotated[str, AfterValidator(_decided_name)], ...],
    Field(strict=False, max_length=10_000),
    accepts("hosts as in a.example, *.a.example or a.example/~name"),
]
Sites = Annotated[
    tuple[Host, ...], Field(strict=False), accepts("a list of domains, as in example.org")
]


class Examples(Input, Generic[Entry]):
    """Positive and negative examples."""

    positives: Entries[Entry] = ()
    negatives: Entries[Entry] = ()


class TopicLists(TopicText, Generic[Entry]):
    """A topic with its lists: addresses, or objects with address and HTML.

    **Choice**: where negatives are named and positives are left out, the seeds are the positives
    (LC §6).
    """

    seeds: Entries[Entry] = ()
    positives: Entries[Entry] = ()
    negatives: Entries[Entry] = ()
    targets: Entries[Entry] = ()
    evaluation: Examples[Entry] = Examples()
    inlinks: Counts = {}
    backlinks: Entries[Entry] = ()
    corpus: Entries[Entry] = ()

    def definition(self, web_id: int | None = None) -> Definition:
        """The definition with its lists as text, one entry per line."""
        texts = {name: "\n".join(map(_url, entries)) for name, entries in self._lists()}
        texts["inlinks"] = count_lines(self.inlinks)
        texts_of_form = {name: getattr(self, name) for name in TopicText.model_fields}
        return Definition(**texts_of_form, web_id=web_id, lists=texts)

    def _lists(self) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        seeds_are_positives = self.negatives and "positives" not in self.model_fields_set
        for name in ("seeds", "negatives", "targets", "backlinks", "corpus"):
            yield name, getattr(self, name)
        yield "positives", self.seeds if seeds_are_positives else self.positives
        yield "evaluation_positives", self.evaluation.positives
        yield "evaluation_negatives", self.evaluation.negatives


class TopicFile(TopicLists[PageEntry]):
    """A topic as `import_topic` reads it. `traffic` ranks hosts, `directory` lists domains,
    `hosts_in` and `hosts_out` are decisions on hosts; null where the file has none of them."""

    traffic: Ranks | None = None
    directory: Sites | None = None
    hosts_in: HostNames | None = None
    hosts_out: HostNames | None = None

    @property
    def decisions(self) -> dict[str, str] | None:
        """The hosts by the name of their decision; None if the file has none."""
        if self.hosts_in is None and self.hosts_out is None:
            return None
        return host_states(self.hosts_in or (), self.hosts_out or ())

    @property
    def pages(self) -> dict[str, str]:
        """The HTML of the pages that the file brings along, by canonical address."""
        html_of: dict[str, str] = {}
        for _, entries in self._lists():
            for entry in entries:
                if isinstance(entry, BroughtPage) and entry.html is not None:
                    html_of.setdefault(canonical(entry.url) or entry.url, entry.html)
        return html_of

    @property
    def sites(self) -> tuple[str, ...] | None:
        """The registered domains of the directory."""
        if self.directory is None:
            return None
        return tuple(dict.fromkeys(map(registered_domain, self.directory)))


def count_lines(counts: Mapping[str, int]) -> str:
    """Counts as the text of their list, `url,count` a line."""
    return "\n".join(f"{url},{count}" for url, count in counts.items())


def _url(entry: object) -> str:
    return entry.url if isinstance(entry, BroughtPage) else str(entry)

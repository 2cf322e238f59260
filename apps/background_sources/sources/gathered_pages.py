"""Pages gathered politely for the background: a list of addresses, and pages that they link to."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Annotated

from django.contrib.auth.models import User
from pydantic import Field, StringConstraints

from apps.background_sources.sources.source import (
    BackgroundSource,
    Progress,
    Seed,
    Text,
    gathered_folder,
)
from apps.backgrounds.models import Background
from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.networking.page_store.store import PageStore, PageStoreWriter, Record
from apps.engine.parsing.document import parse
from apps.engine.urls import host
from apps.figures.quantities import number_of
from apps.lists.addresses import LONGEST as MAX_URL
from apps.schemas.input import Input, Storable, accepts
from apps.schemas.refused import Refused
from apps.topics.definition.lines import read_urls
from apps.topics.examples import fetching
from apps.topics.messages import line_words

MOST_ADDRESSES = 5_000
MOST_FURTHER = 20_000
JOURNAL = "pages.jsonl"
TRIED = 2
"""The links requested per wanted page: some fail."""

Address = Annotated[Storable, StringConstraints(min_length=1, max_length=MAX_URL)]


class GatheringOptions(Input):
    """The `addresses`, and how many `further` pages to follow links to, drawn by `seed`."""

    addresses: Annotated[
        tuple[Address, ...],
        Field(strict=False, min_length=1, max_length=MOST_ADDRESSES),
        accepts(f"1 to {MOST_ADDRESSES:,} addresses of public web pages"),
    ]
    further: Annotated[int, Field(ge=0, le=MOST_FURTHER)] = 0
    seed: Seed = 1


def _check(owner: User, options: GatheringOptions) -> None:
    read = read_urls("\n".join(options.addresses))
    if read.errors:
        error = read.errors[0]
        raise Refused("addresses", f"Line {error.number}, {error.text[:200]}: {line_words(error)}.")


def _gather(
    background: Background, options: GatheringOptions, progress: Progress
) -> Iterator[Text]:
    with _StoredAnswers(gathered_folder(background)) as stored:
        urls = read_urls("\n".join(options.addresses)).urls
        gathering = _BackgroundGathering(stored, progress, len(urls) + options.further)
        yield from gathering.pages(urls, len(urls))
        wanted = gathering.used + options.further
        chance = random.Random(options.seed)
        while (left := wanted - gathering.used) > 0:
            links = sorted(gathering.links - gathering.requested)
            if not links:
                break
            chance.shuffle(links)
            yield from gathering.pages(_spread(links)[: TRIED * left], left)
    stored.remove()


class _BackgroundGathering:
    """Fetches pages; `links` are those of the pages, `requested` the requested addresses, `used`
    how many pages were had."""

    def __init__(self, stored: _StoredAnswers, progress: Progress, wanted: int) -> None:
        self.links: set[str] = set()
        self.requested: set[str] = set()
        self.used = 0
        self._stored, self._progress, self._wanted = stored, progress, wanted

    def pages(self, urls: Iterable[str], most: int) -> Iterator[Text]:
        """Up to `most` of the pages."""
        until = self.used + most
        for url, answer in self._stored.answers(list(urls)):
            self.requested |= {url, answer.final_url}
            self._progress(self.used, self._wanted)
            if answer.failure or answer.status is None:
                continue
            page = parse(answer)
            self.links |= set(page.links.urls)
            self.used += 1
            yield Text(page.words[: page.visible], (url, answer.final_url))
            if self.used >= until:
                return


class _StoredAnswers:
    """The answers had so far, on the disk: a building that was cut off asks for none of them
    again. A failure is remembered too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._entries: dict[str, dict[str, object]] = {}
        self._writer: PageStoreWriter | None = None

    def __enter__(self) -> _StoredAnswers:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._journal: IO[str] = (self._folder / JOURNAL).open("a+", encoding="utf-8")
        self._journal.seek(0)
        for line in self._journal:
            if line.endswith("\n"):
                entry = json.loads(line)
                self._entries[entry["url"]] = entry
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()
        if self._writer is not None:
            self._writer.close()

    def answers(self, urls: list[str]) -> Iterator[tuple[str, Answer]]:
        """The answers to the addresses, first those that are here."""
        store = PageStore(self._folder)
        try:
            for url in urls:
                if url in self._entries:
                    yield url, self._answer(store, url)
        finally:
            store.close()
        for url, answer in fetching.fetch_live([url for url in urls if url not in self._entries]):
            self._keep(url, answer)
            yield url, answer

    def _answer(self, store: PageStore, url: str) -> Answer:
        entry = self._entries[url]
        if entry["record"] is None:
            return Answer(url, url, failure=str(entry["failure"]))
        try:
            return store.read(Record(**entry["record"]))  # type: ignore[arg-type]
        except BadWebFile:
            return Answer(url, url, failure="protocol")

    def _keep(self, url: str, answer: Answer) -> None:
        """Writes the page, then its line: a page without a line does not exist."""
        record = None
        if not answer.failure and answer.status is not None:
            if self._writer is None:
                self._writer = PageStoreWriter(self._folder / f"{uuid.uuid4().hex}.warc.gz")
            record = asdict(self._writer.append(answer))
            self._writer.sync()
        entry: dict[str, object] = {
            "url": url,
            "record": record,
            "failure": answer.failure or "protocol",
        }
        self._entries[url] = entry
        self._journal.write(json.dumps(entry) + "\n")
        self._journal.flush()

    def remove(self) -> None:
        """Deletes the pages, which are not needed once the texts are counted."""
        for path in self._folder.glob("*"):
            path.unlink(missing_ok=True)


def _spread(links: Iterable[str]) -> list[str]:
    """The links with one of each host first, then the second of each, so that no host
    dominates."""
    seen: dict[str, int] = {}
    ranked = []
    for url in links:
        seen[host(url)] = seen.get(host(url), 0) + 1
        ranked.append((seen[host(url)], url))
    return [url for _, url in sorted(ranked, key=lambda pair: pair[0])]


def _made_of(background: Background, options: GatheringOptions, texts: int) -> str:
    hosts = len({host(url) for url in options.addresses})
    further = " and pages they link to" if options.further else ""
    return (
        f"{number_of(texts, 'page')}: {number_of(len(options.addresses), 'listed one')} of"
        f" {number_of(hosts, 'host')}{further}"
    )


GATHERED_PAGES = BackgroundSource(
    id="addresses",
    title="Gathered pages",
    sentence="Pages of the live Web, fetched for it as robots.txt allows, 2 s between two of a"
    " host: those you list, and if you like others that they link to, drawn at random.",
    options=GatheringOptions,
    check=_check,
    gather=_gather,
    made_of=_made_of,
    name=lambda owner, options: f"Gathered from {host(options.addresses[0])}",
)

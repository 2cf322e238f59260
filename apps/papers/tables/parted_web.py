"""A labelled web in named parts (WebKB: universities), read for an experiment."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.model import Document, Ints, Links
from apps.engine.networking.webs.virtual_web import VirtualWeb, Web, read
from apps.engine.parsing.document import parse
from apps.engine.parsing.links import NO_LINKS

ROOT_LABEL = "department"


@dataclass(frozen=True)
class UniversityPart:
    """One part as a closed web.

    `documents` are its parsed pages by URL, with only the links that stay in the part, each under
    its page's name here; `names` maps every URL to the page it leads to. `root` is where crawls
    start.
    """

    name: str
    root: str
    documents: Mapping[str, Document]
    labels: Mapping[str, frozenset[str]]
    names: Mapping[str, str]

    def relevant(self, category: str) -> frozenset[str]:
        """The pages with the label."""
        return frozenset(url for url in self.documents if category in self.labels[url])

    def read(self, answer: Answer) -> Document:
        """A page of the part parsed anew, in the form of `documents`."""
        return _closed(parse(answer), answer.final_url, self.names)

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The pages that can be reached from the root, itself included."""
        return reachable_from([self.root], self.documents)


def reachable_from(roots: Iterable[str], documents: Mapping[str, Document]) -> frozenset[str]:
    """The pages that can be reached from the roots, which are included."""
    seen = set(roots)
    waiting = deque(seen)
    while waiting:
        new = set(documents[waiting.popleft()].links.urls) - seen
        seen |= new
        waiting.extend(new)
    return frozenset(seen)


class PartedWeb:
    """A web whose pages have labels and, if it is a recorded one, may name their part."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.labels = {url: frozenset(web.labels(url)) for url in web.urls()}
        self._texts: dict[str, tuple[tuple[str, Document], ...]] = {}

    @cached_property
    def _members(self) -> Mapping[str, list[str]]:
        """The pages of each part; those of a generated web name none."""
        members: dict[str, list[str]] = {}
        if isinstance(self.web, VirtualWeb):
            for url in self.labels:
                members.setdefault(self.web.split(url) or "", []).append(url)
        return members

    @cached_property
    def _redirects(self) -> Mapping[str, str]:
        return dict(self.web.redirects()) if isinstance(self.web, VirtualWeb) else {}

    def page_of(self, url: str) -> str:
        """Where a URL leads to after redirects, within the web or not."""
        for _ in range(len(self._redirects)):
            if url in self.labels or url not in self._redirects:
                break
            url = self._redirects[url]
        return url

    @property
    def names(self) -> list[str]:
        """The parts with exactly one root page, in the order of the file."""
        return [name for name in self._members if name and len(self._roots(name)) == 1]

    @property
    def without_root(self) -> list[str]:
        """The other parts: their pages only provide text."""
        return [name for name in self._members if name not in self.names]

    def root(self, name: str) -> str:
        """The page of a part at which crawls start. Raises BadWebFile if there is not exactly
        one."""
        roots = self._roots(name) if name in self._members else []
        if len(roots) != 1:
            raise BadWebFile(f"{name} has {len(roots)} pages labelled {ROOT_LABEL}, not one")
        return roots[0]

    def texts(self, name: str) -> tuple[tuple[str, Document], ...]:
        """The pages of a part by URL, words only. Pages that are not text are left out."""
        if name not in self._texts:
            self._texts[name] = tuple(
                (url, _words_only(document))
                for url in self._members[name]
                if (document := self._document(url)) is not None
            )
        return self._texts[name]

    def part(self, name: str) -> UniversityPart:
        """A part with its links. Raises BadWebFile if it has no single root."""
        root = self.root(name)
        parsed = {
            url: document
            for url in self._members[name]
            if (document := self._document(url)) is not None
        }
        names = self._names_of(set(parsed))
        documents = {url: _closed(document, url, names) for url, document in parsed.items()}
        labels = {url: self.labels[url] for url in documents}
        return UniversityPart(name, root, documents, labels, names)

    def _roots(self, name: str) -> list[str]:
        return [url for url in self._members[name] if ROOT_LABEL in self.labels[url]]

    def _document(self, url: str) -> Document | None:
        answer = read(self.web, url)
        return None if answer.failure else parse(answer)

    def _names_of(self, pages: set[str]) -> dict[str, str]:
        """Every URL that leads to one of the pages, with that page."""
        leads_to = {url: self.page_of(url) for url in self._redirects}
        names = {url: page for url, page in leads_to.items() if page in pages}
        return {**{url: url for url in pages}, **names}


def _words_only(document: Document) -> Document:
    words = document.words[: document.visible]
    return replace(document, words=words, links=NO_LINKS, tree=None)


def _closed(document: Document, url: str, names: Mapping[str, str]) -> Document:
    """The document with internal links only, and without a redirect."""
    return replace(document, links=links_within(document.links, url, names), refresh=None)


def links_within(links: Links, own: str, names: Mapping[str, str]) -> Links:
    """The links to pages in `names`, under these names, without links to the page `own` itself."""
    pages = [names.get(url) for url in links.urls]
    number: dict[str, int] = {}
    new = [
        number.setdefault(page, len(number)) if page is not None and page != own else -1
        for page in pages
    ]
    new_target: Ints = np.array(new, np.int32)
    target = new_target[links.target]
    kept = np.flatnonzero(target >= 0)
    nofollow = np.ones(len(number), np.bool_)
    inside = new_target >= 0
    np.logical_and.at(nofollow, new_target[inside], links.nofollow[inside])
    return Links(
        urls=tuple(number),
        target=target[kept],
        anchor_start=links.anchor_start[kept],
        anchor_end=links.anchor_end[kept],
        nodes=tuple(links.nodes[i] for i in kept.tolist()),
        nofollow=nofollow,
        position=None if links.position is None else links.position[kept],
    )

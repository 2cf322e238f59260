"""Opt-outs in the files of a crawl's sites: lines of robots.txt, tdmrep.json and ai.txt.

Robots.txt is read once it has been fetched for its rules. The other files are asked for only if the
scope says so, each once a day, in the turn of the host's first page.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.events import SiteFileRecord, SiteSign
from apps.engine.frontier.scope import Scope
from apps.engine.networking.robots import DAY
from apps.engine.networking.robots.rules import RobotsRules
from apps.engine.parsing.opt_outs.robots_lines import PATH as ROBOTS
from apps.engine.parsing.opt_outs.site_catalogue import EXTRA_FILES, read_site_file
from apps.engine.urls import origin

MOST_FILES = 15_000
OTHERS_SECONDS, LOOK_SECONDS = 10.0, 1.0
"""So long a crawl waits for a file that another is asking for, and how often it looks."""
Recall = Callable[[str], Awaitable[Sequence[SiteFileRecord]]]
"""The files of an origin that other crawls have read within a day."""


Claim = Callable[[str, str], Awaitable[bool]]
"""Whether a file of an origin is this crawl's to ask for today, and no other's."""


async def claim_everything(origin_url: str, path: str) -> bool:
    """There is no other crawl."""
    return True


async def recall_nothing(origin_url: str) -> Sequence[SiteFileRecord]:
    """No other crawl has read anything."""
    return ()


class SiteOptOuts:
    """The files of one crawl. Beyond 15,000 the oldest are dropped."""

    def __init__(self, scope: Scope, now: Callable[[], float] = time.time) -> None:
        self.recall: Recall = recall_nothing
        self.claim: Claim = claim_everything
        self.wait: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._scope = scope
        self._now = now
        self._files: OrderedDict[tuple[str, str], SiteFileRecord] = OrderedDict()
        self._new: list[SiteFileRecord] = []
        self._asking: dict[str, asyncio.Lock] = {}

    def read_robots(self, url: str, answer: Answer) -> None:
        """Reads the signs of an answer to the request for a robots.txt."""
        self._keep(read_site_file(origin(url), ROBOTS, answer), is_new=True)

    async def ask(
        self, url: str, allows: Callable[[str], bool], fetch: Callable[[str], Awaitable[Answer]]
    ) -> None:
        """Asks the origin of a URL for the other files, one after the other, unless they were read
        within a day or robots.txt disallows them; `fetch` waits for the delay."""
        origin_url = origin(url)
        if not self._scope.opt_out_files or not self._missing(origin_url):
            return
        lock = self._asking.setdefault(origin_url, asyncio.Lock())
        async with lock:
            if self._missing(origin_url):
                await self._take_over(origin_url)
            for path in self._missing(origin_url):
                if not await self.claim(origin_url, path) and await self._comes(origin_url, path):
                    continue
                file_url = origin_url + path
                answer = await fetch(file_url) if allows(file_url) else _disallowed(file_url)
                self._keep(read_site_file(origin_url, path, answer), is_new=True)
        if not lock.locked():
            self._asking.pop(origin_url, None)

    async def _take_over(self, origin_url: str) -> None:
        """Takes what other crawls have read within a day."""
        for file in await self.recall(origin_url):
            if file.path in EXTRA_FILES and not self._is_fresh(origin_url, file.path):
                self._keep(file, is_new=True)

    async def _comes(self, origin_url: str, path: str) -> bool:
        """Waits for a file that another crawl is asking for; that may have ended meanwhile."""
        for _ in range(round(OTHERS_SECONDS / LOOK_SECONDS)):
            await self.wait(LOOK_SECONDS)
            await self._take_over(origin_url)
            if self._is_fresh(origin_url, path):
                return True
        return False

    def _missing(self, origin_url: str) -> list[str]:
        return [path for path in EXTRA_FILES if not self._is_fresh(origin_url, path)]

    def _is_fresh(self, origin_url: str, path: str) -> bool:
        file = self._files.get((origin_url, path))
        return file is not None and 0 <= self._now() - file.read_at < DAY

    def reservation(self, url: str) -> SiteSign | None:
        """The first sign that reserves something at a URL, if the crawl obeys it."""
        if not self._scope.obey_opt_outs:
            return None
        origin_url = origin(url)
        files = (self._files.get((origin_url, path)) for path in (ROBOTS, *EXTRA_FILES))
        return reserving([sign for file in files if file for sign in file.signs], url)

    def refusal(self, url: str) -> str | None:
        """The failure of a URL that its site reserves, if the crawl obeys that."""
        return Failure.RESERVED if self.reservation(url) is not None else None

    def why(self, url: str) -> str:
        """The sign that refuses a URL, as written; empty without one."""
        sign = self.reservation(url)
        return f"{sign.path}: {sign.text}" if sign is not None else ""

    def drain(self) -> tuple[SiteFileRecord, ...]:
        """The files read since the last call."""
        new, self._new = tuple(self._new), []
        return new

    def _keep(self, file: SiteFileRecord, is_new: bool) -> None:
        key = (file.origin, file.path)
        file = file if file.read_at else file._replace(read_at=self._now())
        self._files.pop(key, None)
        self._files[key] = file
        if is_new:
            self._new.append(file)
        if len(self._files) > MOST_FILES:
            self._files.popitem(last=False)

    def snapshot(self) -> list[list[Any]]:
        """The files, so that a resumed crawl need not ask for them again."""
        return [[*file[:4], [list(sign) for sign in file.signs]] for file in self._files.values()]

    def restore(self, files: Iterable[Sequence[Any]]) -> None:
        """Restores what `snapshot` returned."""
        for origin_url, path, read_at, status, signs in files:
            read = tuple(SiteSign(*sign) for sign in signs)
            self._keep(SiteFileRecord(origin_url, path, read_at, status, read), is_new=False)


def reserving(signs: Iterable[SiteSign], url: str) -> SiteSign | None:
    """The first sign that reserves something at a URL of its site."""
    return next((sign for sign in signs if sign.reserves and is_covered(sign.rules, url)), None)


def is_covered(rules: str, url: str) -> bool:
    """Whether the rules of a sign, as in robots.txt, disallow a URL."""
    return not _parsed(rules).allows(url)


@lru_cache(1_000)
def _parsed(rules: str) -> RobotsRules:
    return RobotsRules.of(rules)


def _disallowed(url: str) -> Answer:
    return Answer(url, url, failure=Failure.ROBOTS)

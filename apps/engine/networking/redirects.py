"""The way of one fetch over its redirects, one exchange at a time."""

from __future__ import annotations

from dataclasses import replace

from apps.engine.model import Answer, Failure
from apps.engine.urls import join

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 5


class Way:
    """Which URL to ask next, and the answer of the whole fetch once there is one.

    `current` is the canonical URL to ask now. Knows no network, so that live, recorded and
    generated webs redirect alike.
    """

    def __init__(self, url: str, limit: int = MAX_REDIRECTS) -> None:
        self._urls = [url]
        self._limit = limit

    @property
    def current(self) -> str:
        return self._urls[-1]

    def after(self, answer: Answer) -> Answer | None:
        """The fetch's answer, or None: `answer` redirected, ask `current` now.

        A redirect without a Location is a `protocol` failure, one to anything but an http(s)
        URL `bad_url`, a loop and more redirects than allowed `too_many_redirects`.
        """
        if answer.status not in REDIRECT_STATUSES or answer.failure:
            return self._whole(answer)
        location = answer.header("Location")
        if not location:
            return self.stopped(Failure.PROTOCOL, "a redirect without a Location", answer)
        target = join(self.current, location)
        if target is None:
            return self.stopped(Failure.BAD_URL, f"redirected to {location[:200]}", answer)
        if target in self._urls or len(self._urls) > self._limit:
            return self.stopped(Failure.TOO_MANY_REDIRECTS, f"redirected to {target}", answer)
        self._urls.append(target)
        return None

    def stopped(self, failure: str, detail: str = "", last: Answer | None = None) -> Answer:
        """The fetch's answer when it ends at `current` without one."""
        return Answer(
            url=self._urls[0],
            final_url=self.current,
            hops=tuple(self._urls[1:-1]),
            status=last.status if last else None,
            headers=last.headers if last else (),
            failure=str(failure),
            detail=detail,
        )

    def _whole(self, answer: Answer) -> Answer:
        if len(self._urls) == 1:
            return answer
        return replace(answer, url=self._urls[0], hops=tuple(self._urls[1:-1]))

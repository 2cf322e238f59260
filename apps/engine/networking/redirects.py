"""The redirects of one fetch, one exchange at a time."""

from __future__ import annotations

from dataclasses import replace

from apps.engine.codes import Failure
from apps.engine.model import Answer
from apps.engine.urls import join

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 5


class Way:
    """The URL to request next, and the final answer of the fetch.

    `current` is the canonical URL to request now. This class does no I/O, so that live, recorded
    and generated webs share it.
    """

    def __init__(self, url: str, limit: int = MAX_REDIRECTS) -> None:
        self._urls = [url]
        self._limit = limit

    @property
    def current(self) -> str:
        return self._urls[-1]

    def after(self, answer: Answer) -> Answer | None:
        """The final answer, or None after a redirect: request `current` next.

        A redirect without a Location is a `protocol` failure, one to anything but an http(s) URL is
        `bad_url`, a loop or too many redirects are `too_many_redirects`.
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
        """The final answer of a fetch that fails at `current`."""
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

"""A client of the API, for scripts and notebooks.

    from crawlsite.client import Client

    site = Client("http://127.0.0.1:8000", token="cs_…")
    crawl = site.crawl(topic=3, strategy="full_page", budget=500)
    site.wait(crawl["crawl"])
    frame = site.frame(topic=3, relevant=True, without_duplicates=True)

Needs httpx, which Crawlsite brings; frames need pandas. It imports nothing else of Crawlsite.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import httpx

if TYPE_CHECKING:
    import pandas

AT_REST = frozenset({"finished", "failed", "paused"})
ROWS = 200
SECONDS = 120
MOMENTS = ("captured_at", "fetched_at")


class ApiError(Exception):
    """The site refused a request; `field` names what is wrong, empty if no single value is."""

    def __init__(self, status: int, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.status = status
        self.field = field
        self.message = message


class Client:
    """A site, as the owner of a token (account page, API tokens) sees it.

    Searches take the parameters of a collection's address as keywords (`q="heat pump"`,
    `relevant=True`, `host=["a.org", "b.org"]`). Every method raises ApiError for a refusal and
    httpx.HTTPError if the site does not answer.
    """

    def __init__(self, address: str, token: str, seconds: float = SECONDS) -> None:
        self._http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=seconds,
        )

    def request(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """The JSON answer of any operation of the API: `request("GET", "vocabulary")`."""
        answer = self._http.request(method, path, json=body, params=_parameters(query))
        _check(answer)
        return answer.json() if answer.content else None

    def list_items(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Every item of a list, whose pages are requested one by one."""
        page, count = 1, 1
        while (page - 1) * ROWS < count:
            answer = self.request("GET", path, page=page, size=ROWS, **query)
            yield from answer["items"]
            page, count = page + 1, answer["count"]

    def topics(self, **query: Any) -> Iterator[dict[str, Any]]:
        """The topics that the account may see."""
        return self.list_items("topics", **query)

    def crawls(self, **query: Any) -> Iterator[dict[str, Any]]:
        """The crawls that the account may see."""
        return self.list_items("crawls", **query)

    def crawl(self, topic: int, strategy: str, **settings: Any) -> dict[str, Any]:
        """Starts a crawl of a topic and returns it; `settings` are those of `POST /crawls`."""
        body = {"topic": topic, "strategy": strategy, **settings}
        started: dict[str, Any] = self.request("POST", "crawls", body)
        return started

    def wait(self, crawl: int, every: float = 5.0) -> dict[str, Any]:
        """The crawl when it has ended or was paused, asked for each `every` seconds."""
        while (now := self.request("GET", f"crawls/{crawl}"))["state"] not in AT_REST:
            time.sleep(every)
        ended: dict[str, Any] = now
        return ended

    def pages(
        self, *, topic: int | None = None, crawl: int | None = None, **search: Any
    ) -> Iterator[dict[str, Any]]:
        """The pages of a topic's or a crawl's collection that match a search."""
        return self.list_items(f"{_collection(topic, crawl)}/pages", **search)

    def download(
        self,
        file: Path | str,
        format: str,
        *,
        topic: int | None = None,
        crawl: int | None = None,
        **search: Any,
    ) -> Path:
        """Writes a download to a file, streamed, and returns its path. The search takes `columns`
        and `without_duplicates` too. A file that is not complete is removed."""
        path = Path(file)
        part = path.with_name(f"{path.name}.part")
        address = f"{_collection(topic, crawl)}/exports/{format}"
        try:
            with (
                self._http.stream("GET", address, params=_parameters(search)) as answer,
                part.open("wb") as out,
            ):
                _check(answer)
                for piece in answer.iter_bytes():
                    out.write(piece)
            return part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def frame(
        self, *, topic: int | None = None, crawl: int | None = None, **search: Any
    ) -> pandas.DataFrame:
        """The pages of a search as a pandas frame with the text as written, moments in UTC, and
        numbers and flags that may be missing."""
        import pandas

        address = f"{_collection(topic, crawl)}/exports/jsonl"
        answer = self._http.get(address, params=_parameters(search))
        _check(answer)
        frame = pandas.read_json(
            io.BytesIO(answer.content), lines=True, convert_dates=False, dtype=False
        ).convert_dtypes()
        for name in {*MOMENTS} & {*frame.columns}:
            frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
        return frame

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _collection(topic: int | None, crawl: int | None) -> str:
    if (topic is None) == (crawl is None):
        raise ValueError("Name a topic or a crawl, one of them.")
    return f"crawls/{crawl}" if topic is None else f"topics/{topic}"


def _parameters(query: Mapping[str, Any]) -> dict[str, Any]:
    """The query string's values: flags are 1, absent if false."""
    return {
        name: 1 if value is True else value
        for name, value in query.items()
        if value is not None and value is not False
    }


def _check(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    answer.read()
    try:
        refusal = answer.json()
        raise ApiError(answer.status_code, refusal["field"], refusal["message"])
    except (ValueError, KeyError, TypeError):
        words = f"The site answered with status {answer.status_code}."
        raise ApiError(answer.status_code, "", words) from None

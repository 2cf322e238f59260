"""The errors that the engine raises.

    EngineError
    ├── BadURL                  not an absolute http(s) URL
    ├── BadParameter            a strategy parameter of the wrong type or out of its range
    ├── UnknownStrategy         no strategy of that id in the catalogue
    ├── NeedsMissing            a strategy needs something the topic lacks (examples, keywords, …)
    ├── AddressRefused          a private, loopback or link-local address
    ├── BadWebFile              an unreadable line of a virtual web, WARC or redirects file
    │   └── BadLine             a line of JSON that is not a page
    ├── BadCheckpoint           a damaged checkpoint, or one of another format
    └── ReplayDiverged          a replay did not repeat the recorded crawl

Each has a stable `code`. The messages that people read are in `apps/crawls/messages.py`.
"""

from __future__ import annotations


class EngineError(Exception):
    """The base class. `code` is stable; `details` fill the message shown to people."""

    code = "engine_error"

    def __init__(self, detail: str = "", **details: object) -> None:
        super().__init__(detail or self.code)
        self.detail = detail
        self.details = details


class BadURL(EngineError):
    code = "bad_url"


class BadParameter(EngineError):
    code = "bad_parameter"


class UnknownStrategy(EngineError):
    code = "unknown_strategy"


class NeedsMissing(EngineError):
    """`need` is one of `model.Need`'s values."""

    code = "needs_missing"

    def __init__(self, need: str, detail: str = "") -> None:
        super().__init__(detail or f"needs {need}", need=need)
        self.need = need


class AddressRefused(EngineError):
    code = "address_refused"


class BadWebFile(EngineError):
    code = "bad_web_file"


class BadLine(BadWebFile):
    """`details["line"]` is the line's number, from 1. Other lines may be valid."""

    code = "bad_line"


class BadCheckpoint(EngineError):
    code = "bad_checkpoint"


class ReplayDiverged(EngineError):
    code = "replay_diverged"

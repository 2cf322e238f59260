"""Every error the engine raises on purpose.

    EngineError
    ├── BadURL                  a text that is not an absolute http(s) URL
    ├── BadParameter            a strategy parameter of the wrong type or out of its range
    ├── UnknownStrategy         no strategy of that id in the catalogue
    ├── NeedsMissing            a strategy needs something the topic lacks (examples, keywords, …)
    ├── AddressRefused          a private, loopback or link-local address
    ├── BadWebFile              a line of a virtual web, WARC or redirects file that cannot be read
    │   └── BadLine             a line of JSON that is not a page
    ├── BadCheckpoint           a checkpoint of another version, or damaged
    └── ReplayDiverged          a replay did not repeat the recorded crawl

Each has a stable `code`; the words a person reads are kept on the web side
(`apps/crawls/messages.py`), never here.
"""

from __future__ import annotations


class EngineError(Exception):
    """Base of the tree. `code` is stable; `details` fill the sentence shown to a person."""

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
    """`details["line"]` is its number, from 1; the lines around it may be good."""

    code = "bad_line"


class BadCheckpoint(EngineError):
    code = "bad_checkpoint"


class ReplayDiverged(EngineError):
    code = "replay_diverged"

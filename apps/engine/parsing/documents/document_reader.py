"""Documents one after the other, for callers outside an event loop."""

from __future__ import annotations

import asyncio
from types import TracebackType

from apps.engine.answers import Answer
from apps.engine.parsing.documents.converters import Converters


class DocumentReader:
    """Reads documents in a process that can be killed, which starts with the first; a context
    manager, whose value is called with an answer as `Converters.read`."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._converters = Converters(processes=1)

    def __enter__(self) -> DocumentReader:
        return self

    def __call__(self, answer: Answer) -> Answer:
        """The answer with the page that its document was converted to, or with a failure."""
        return self._runner.run(self._converters.read(answer))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._runner.run(self._converters.close())
        self._runner.close()

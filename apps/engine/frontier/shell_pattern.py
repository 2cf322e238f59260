"""A shell pattern on whole URLs that is cheap where it does not match."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import cached_property

_SPECIAL = re.compile(r"[*?]|\[!?\]?[^\]]*\]|\[")


class ShellPattern:
    """A pattern such as `*/calendar/*`, whatever the case of its letters.

    A URL without the longest fixed piece of the pattern cannot match, which a plain search finds
    out; the regular expression is compiled for the first URL that has it.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern.lower()
        self._piece = max(_SPECIAL.split(self._pattern), key=len)

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        return re.compile(translate(self._pattern))

    def matches(self, url: str) -> bool:
        """Whether a URL in lower case matches."""
        return self._piece in url and self._expression.match(url) is not None

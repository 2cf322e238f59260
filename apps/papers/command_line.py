"""A run of a protocol as a command."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

OPTIONS = (
    "topics",
    "pages",
    "examples",
    "labels",
    "categories",
    "universities",
    "crawlers",
    "redirects",
)
"""The options that decide the results, in the order in which they are written."""


def command_line(protocol: str, web: str, options: Mapping[str, Any]) -> str:
    """`manage.py reproduce PROTOCOL --web WEB` with the options that are given."""
    words = ["manage.py", "reproduce", protocol, "--web", web]
    for name in OPTIONS:
        if value := options.get(name):
            words += [f"--{name}", *(value if isinstance(value, list) else [str(value)])]
    return shlex.join(words)

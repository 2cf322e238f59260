"""The progress bar of commands."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, TypeVar, overload

from tqdm import tqdm

T = TypeVar("T")


@overload
def progress_bar(of: None = None, **options: Any) -> tqdm[Any]: ...
@overload
def progress_bar(of: Iterable[T], **options: Any) -> tqdm[T]: ...
def progress_bar(of: Iterable[T] | None = None, **options: Any) -> tqdm[Any]:
    """A bar on standard error, where that is a terminal: none is written into a log file."""
    return tqdm(of, file=sys.stderr, disable=None, **options)

"""The process that parses large pages: reads answers from stdin, writes documents to stdout."""

from __future__ import annotations

import os
import sys

from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.parsing.contexts.layout import without_tree
from apps.engine.parsing.document import parse
from apps.engine.parsing.processes import NICENESS, serve


def read(answer: Answer) -> Document:
    """The document of an answer, with its layout instead of its tree."""
    return without_tree(parse(answer))


if __name__ == "__main__":
    os.nice(NICENESS)
    serve(sys.stdin.buffer, sys.stdout.buffer, read)

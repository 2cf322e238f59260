"""The process that parses large pages: reads answers from stdin, writes documents to stdout."""

from __future__ import annotations

import os
import pickle
import sys
from typing import BinaryIO

from apps.engine.model import Answer
from apps.engine.parsing.contexts.layout import without_tree
from apps.engine.parsing.document import parse
from apps.engine.parsing.large_pages import SIZE_BYTES

# On few cores, large pages must not slow down the others.
NICENESS = 10


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Parses answers one by one until `requests` ends."""
    while size := requests.read(SIZE_BYTES):
        answer: Answer = pickle.loads(requests.read(int.from_bytes(size)))
        reply = pickle.dumps(without_tree(parse(answer)), pickle.HIGHEST_PROTOCOL)
        replies.write(len(reply).to_bytes(SIZE_BYTES))
        replies.write(reply)
        replies.flush()


if __name__ == "__main__":
    os.nice(NICENESS)
    serve(sys.stdin.buffer, sys.stdout.buffer)

"""The process that parses large pages: answers come in on stdin, documents go out on stdout."""

from __future__ import annotations

import os
import pickle
import sys
from dataclasses import replace
from typing import BinaryIO

from apps.engine.model import Answer, Document
from apps.engine.parsing.contexts.layout import layout
from apps.engine.parsing.document import parse
from apps.engine.parsing.large_pages import SIZE_BYTES

# Beside honest pages on few cores a large page waits rather than they.
NICENESS = 10


def without_tree(document: Document) -> Document:
    """The document with its layout in place of its tree, which no other process can read."""
    if document.tree is None:
        return document
    links = replace(document.links, nodes=())
    return replace(document, tree=layout(document), links=links)


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Parses one answer after the other until `requests` ends."""
    while size := requests.read(SIZE_BYTES):
        answer: Answer = pickle.loads(requests.read(int.from_bytes(size)))
        reply = pickle.dumps(without_tree(parse(answer)), pickle.HIGHEST_PROTOCOL)
        replies.write(len(reply).to_bytes(SIZE_BYTES))
        replies.write(reply)
        replies.flush()


if __name__ == "__main__":
    os.nice(NICENESS)
    serve(sys.stdin.buffer, sys.stdout.buffer)

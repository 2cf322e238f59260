"""The process that reads documents: `python -m apps.engine.parsing.documents.process`.

It may use a gigabyte of memory, and of processor time only so much for each document: a document
that takes more ends it. So does the end of its crawl, even while it reads.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from dataclasses import replace

from apps.engine.answers import Answer, Converted
from apps.engine.codes import Failure
from apps.engine.networking.page_store.records import pack
from apps.engine.parsing.contexts.layout import without_tree
from apps.engine.parsing.document import parse
from apps.engine.parsing.documents.converting import convert
from apps.engine.parsing.documents.limits import DEADLINE_SECONDS, MEMORY_BYTES, DocumentFailed
from apps.engine.parsing.processes import NICENESS, serve


def read(answer: Answer) -> Answer | DocumentFailed:
    """The answer as `Converters.read` returns it, or why it cannot be read."""
    seconds = int(time.process_time() + DEADLINE_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
    try:
        converted = convert(answer.body, answer.final_url)
        return _with_page(answer, converted)
    except DocumentFailed as failed:
        return failed
    except MemoryError:
        return DocumentFailed(Failure.TOO_COMPLEX, "it takes too much memory")


def _with_page(answer: Answer, converted: Converted) -> Answer:
    answer = replace(answer, converted=converted)
    document = without_tree(parse(answer))
    return replace(answer, document=document, packed=pack(answer), body=b"")


def limit_memory() -> None:
    """Keeps this process within its memory, and from writing dumps when it ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    os.nice(NICENESS)
    limit_memory()
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # A library that prints must not spoil the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, replies, read)

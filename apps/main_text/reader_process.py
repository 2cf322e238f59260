"""The process that reads pages: answers from stdin, articles or marks to stdout.

It ends when nothing has come for a minute, which returns its memory.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable

from apps.engine.answers import Answer
from apps.engine.parsing.processes import NICENESS, serve
from apps.main_text.article import Article, Marks
from apps.main_text.reader import IDLE_SECONDS, Wanted
from apps.main_text.reading import read_article, read_marks

READS: dict[Wanted, Callable[[Answer], Article | Marks]] = {
    "article": read_article,
    "marks": read_marks,
}


def read(asked: tuple[Wanted, Answer]) -> Article | Marks | None:
    """The article of a page; None if a library fails on it."""
    wanted, answer = asked
    try:
        return READS[wanted](answer)
    except Exception:
        logging.getLogger("crawlsite.main_text").exception("%s cannot be read", answer.final_url)
        return None


if __name__ == "__main__":
    os.nice(NICENESS)
    serve(sys.stdin.buffer, sys.stdout.buffer, read, IDLE_SECONDS)

"""The process that reads pages: answers from stdin, articles to stdout.

It ends when nothing has come for a minute, which returns its memory.
"""

from __future__ import annotations

import logging
import os
import sys

from apps.engine.model import Answer
from apps.engine.parsing.processes import NICENESS, serve
from apps.main_text.article import Article
from apps.main_text.reader import IDLE_SECONDS
from apps.main_text.reading import read_article


def read(answer: Answer) -> Article | None:
    """The article; None for a page at which a library fails."""
    try:
        return read_article(answer)
    except Exception:
        logging.getLogger("crawlsite.main_text").exception("%s cannot be read", answer.final_url)
        return None


if __name__ == "__main__":
    os.nice(NICENESS)
    serve(sys.stdin.buffer, sys.stdout.buffer, read, IDLE_SECONDS)

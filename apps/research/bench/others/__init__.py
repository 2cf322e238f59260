"""Other crawlers that take the pages of the bench's web, each by a program of its own.

A program is run by an interpreter that has the crawler: `PROGRAM.py PORT PAGES FOLDER NAME URL…`.
From those URLs it crawls a web that is served on that port of 127.0.0.1, follows every link, and
writes title, text and links of each page to `FOLDER`. It prints the pages and the microseconds of
CPU a page, without the start and the first fifth, as JSON. NAME is that of the crawler here.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
_HAS = "import importlib.util, sys; print(*filter(importlib.util.find_spec, sys.argv[1:]))"


@dataclass(frozen=True, slots=True)
class OtherCrawler:
    """A crawler by its name in results, the module that has to be installed for it, and the file of
    its program."""

    name: str
    module: str
    program: str


CRAWLERS = (
    OtherCrawler("scrapy", "scrapy", "scrapy_crawl.py"),
    OtherCrawler("scrapy_tuned", "scrapy", "scrapy_crawl.py"),
    OtherCrawler("crawlee", "crawlee", "crawlee_crawl.py"),
)


def installed_crawlers(python: str) -> list[OtherCrawler]:
    """Those that this interpreter has. Raises FileNotFoundError or PermissionError if it cannot be
    run, and CalledProcessError if it fails."""
    modules = sorted({each.module for each in CRAWLERS})
    printed = _run([python, "-I", "-c", _HAS, *modules]).split()
    return [each for each in CRAWLERS if each.module in printed]


def cost_of(
    crawler: OtherCrawler, python: str, port: int, seeds: Sequence[str], pages: int, folder: Path
) -> float:
    """Microseconds of CPU a page of a crawl of the web on that port. Raises CalledProcessError with
    its output if the crawl fails."""
    # Isolated (-I), so that the modules beside the program do not stand for those of the library.
    program = [python, "-I", str(_HERE / crawler.program)]
    printed = _run([*program, str(port), str(pages), str(folder), crawler.name, *seeds])
    return float(json.loads(printed)["cpu"])


def _run(command: Sequence[str]) -> str:
    return subprocess.run([*command], capture_output=True, text=True, check=True).stdout

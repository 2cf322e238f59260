"""`python -m apps.research.bench.starts make` makes a topic in the empty site that the environment
names; `… STRATEGY` crawls for it, and prints the CPU seconds of the process so far before the first
request and after the last batch, as JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    import django

    django.setup()
    from apps.research.bench.starts.short_crawl import CRAWLED, PAGES, crawl, make_topic_of_articles

    if sys.argv[1] != "make":
        json.dump(crawl(sys.argv[1], CRAWLED), sys.stdout)
        return
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        make_topic_of_articles(Path(folder), PAGES)


main()

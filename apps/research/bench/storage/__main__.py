"""`python -m apps.research.bench.storage PAGES` crawls so many pages in the empty site that the
environment names, and prints what they take, as JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from apps.research.bench.storage.measuring import measured_crawl

    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        json.dump(asdict(measured_crawl(Path(folder), int(sys.argv[1]))), sys.stdout)


main()

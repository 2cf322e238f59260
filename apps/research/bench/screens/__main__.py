"""`python -m apps.research.bench.screens PAGES CRAWLS ROUNDS`: fills the empty site that the
environment names and prints what its screens take, as JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path


def main() -> None:
    pages, crawls, rounds = map(int, sys.argv[1:])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from apps.research.bench.screens.asked import asked_addresses
    from apps.research.bench.screens.large_site import make_large_site
    from apps.research.bench.screens.timing import time_screens

    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        site = make_large_site(Path(folder), pages, crawls)
    timed = time_screens(site.owner, asked_addresses(site), rounds)
    json.dump([asdict(each) for each in timed], sys.stdout)


main()

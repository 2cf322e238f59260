"""`python -m apps.research.bench.screens PAGES CRAWLS ROUNDS [busy]`: fills the empty site that the
environment names and prints what its screens take, as JSON, with `busy` while it crawls and
indexes; what is done meanwhile goes to stderr."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path


def main() -> None:
    pages, crawls, rounds = map(int, sys.argv[1:4])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from apps.research.bench.screens.asked import asked_addresses
    from apps.research.bench.screens.busy import busy_site
    from apps.research.bench.screens.large_site import gather_statistics, make_large_site
    from apps.research.bench.screens.timing import time_screens
    from apps.screens.database_pool import share_connections

    report(f"making a site of {pages:,} pages and {crawls:,} crawls")
    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        site = make_large_site(Path(folder), pages, crawls)
    addresses = asked_addresses(site)
    gather_statistics()
    report(f"made in {time.process_time():,.0f} s of CPU; {len(addresses)} addresses are asked for")
    share_connections()
    with busy_site() if "busy" in sys.argv[4:] else nullcontext():
        timed = time_screens(site.owner, addresses, rounds, report)
    json.dump([asdict(each) for each in timed], sys.stdout)


def report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


main()

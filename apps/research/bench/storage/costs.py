"""The cost of a page with its rows, in a site of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from apps.research.bench.screens.own_site import own_site


def storage_cost(pages: int) -> dict[str, Any]:
    """What `measured_crawl` returns, as plain values, of a crawl in a process, data folder and
    database of its own. Raises CalledProcessError if it fails; it has printed why."""
    with own_site() as environment:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "apps.research.bench.storage", str(pages)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    cost: dict[str, Any] = json.loads(done.stdout)
    return cost

"""The tasks of the crawl cluster."""

from __future__ import annotations

import time

from django.conf import settings

from apps.crawls.lifecycle.lease import claim, put_back
from apps.crawls.running.runner import Runner
from apps.jobs.site import is_stopping
from apps.machines import workers

REST_SECONDS = 1.0


def run_slice(crawl_id: int, epoch: int) -> str:
    """Runs a crawl until it ends or is handed on; a second delivery finds another epoch.

    While the site is stopping no crawl is begun: the supervisor queues it at the next start. A
    drained worker puts the crawl back, and rests so that another machine's may take it.
    """
    if is_stopping(settings.DATA_DIR):
        return "the site is stopping"
    if workers.are_drained():
        put_back(crawl_id, epoch)
        time.sleep(REST_SECONDS)
        return "drained"
    crawl = claim(crawl_id, epoch)
    if crawl is None:
        return "not at this epoch"
    return Runner(crawl).run()

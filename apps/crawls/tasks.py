"""What the workers of the crawl cluster run."""

from __future__ import annotations

from django.conf import settings

from apps.crawls.lifecycle.lease import claim
from apps.crawls.running.runner import Runner
from apps.jobs.site import is_stopping


def run_slice(crawl_id: int, epoch: int) -> str:
    """Runs a crawl until it ends or is handed on; a second delivery finds another epoch.

    While the site is stopping no crawl is begun: the supervisor queues it at the next start.
    """
    if is_stopping(settings.DATA_DIR):
        return "the site is stopping"
    crawl = claim(crawl_id, epoch)
    if crawl is None:
        return "not at this epoch"
    return Runner(crawl).run()

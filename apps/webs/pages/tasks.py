"""What the workers do so that the pages of webs can be looked through."""

from __future__ import annotations

from apps.engine.errors import BadWebFile
from apps.jobs import queue
from apps.webs.messages import error_words
from apps.webs.models import PageIndexing, Web
from apps.webs.pages.indexing import is_indexed, write_index


def ask_for_index(web: Web) -> PageIndexing:
    """Has the pages of the web indexed, where that is neither done nor under way nor has failed."""
    job, _ = PageIndexing.objects.get_or_create(web=web)
    if not is_indexed(web) and not job.is_under_way and job.job_state != PageIndexing.State.FAILED:
        queue.enqueue(job, done=0)
    return job


def index_pages(job: PageIndexing) -> None:
    """Makes the index of one web; what cannot be read is said in the job's row."""
    try:
        write_index(job.web, lambda done: queue.heartbeat(job, done=done))
    except BadWebFile as error:
        queue.fail(job, error_words(error))
    except OSError as error:
        queue.fail(job, f"The index could not be written: {error.strerror}.")

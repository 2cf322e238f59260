"""The background job that indexes the pages of a web."""

from __future__ import annotations

from apps.engine.errors import BadWebFile
from apps.jobs import queue
from apps.webs.messages import error_words
from apps.webs.models import PageIndexing, Web
from apps.webs.pages.indexing import is_indexed, write_index


def ask_for_index(web: Web) -> PageIndexing:
    """Queues the indexing of the web's pages, unless it is done, under way or failed."""
    job, _ = PageIndexing.objects.get_or_create(web=web)
    if not is_indexed(web) and not job.is_under_way and job.job_state != PageIndexing.State.FAILED:
        queue.enqueue(job, done=0)
    return job


def index_pages(job: PageIndexing) -> None:
    """Indexes one web; an error is recorded in the job's row."""
    try:
        write_index(job.web, lambda done: queue.heartbeat(job, done=done))
    except BadWebFile as error:
        queue.fail(job, error_words(error))
    except OSError as error:
        queue.fail(job, f"The index could not be written: {error.strerror}.")

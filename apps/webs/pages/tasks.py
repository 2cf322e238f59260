"""The background job that indexes the pages of a web and counts the links between them."""

from __future__ import annotations

from apps.engine.errors import BadWebFile
from apps.jobs import queue
from apps.webs.links import count_links, is_counted
from apps.webs.messages import error_words
from apps.webs.models import PageIndexing, Web
from apps.webs.pages.indexing import is_indexed, write_index


def ask_for_index(web: Web) -> PageIndexing:
    """Queues the indexing of the web's pages and the counting of their links, unless both are done,
    or it is under way or failed."""
    job, _ = PageIndexing.objects.get_or_create(web=web)
    if is_indexed(web) and is_counted(web):
        return job
    if not job.is_under_way and job.job_state != PageIndexing.State.FAILED:
        queue.enqueue(job, done=0)
    return job


def index_pages(job: PageIndexing) -> None:
    """Indexes one web, and counts its links when its pages can be searched; an error is recorded in
    the job's row."""
    try:
        if is_indexed(job.web) or write_index(job.web, lambda n: queue.heartbeat(job, done=n)):
            count_links(job.web, lambda: queue.heartbeat(job))
    except BadWebFile as error:
        queue.fail(job, error_words(error))
    except OSError as error:
        queue.fail(job, f"The index could not be written: {error.strerror}.")

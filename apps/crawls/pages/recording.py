"""Recorded webs made of crawls' pages by the background: asked for, made, withdrawn."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from typing import Annotated, Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from pydantic import Field, StringConstraints

from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, Recording
from apps.crawls.pages.recorded_web import check_pages, web_name, write_web
from apps.crawls.selectors import visible_crawls
from apps.crawls.signals import web_recorded
from apps.crawls.sources.catalogue import SOURCES
from apps.engine.errors import BadWebFile
from apps.engine.file_faults import fault_words
from apps.jobs import queue
from apps.jobs.models import Job
from apps.jobs.progress_reporter import ProgressReporter, Withdrawn
from apps.schemas.input import Input, Key, accepts
from apps.stored_files.files import forget
from apps.uploads.models import Upload
from apps.uploads.services import check_upload_name
from apps.webs.messages import error_words
from apps.webs.models import Web
from apps.webs.opening import new_folder
from apps.webs.pages.tasks import ask_for_index

MOST_CRAWLS = 100

Label = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,40}$"),
    accepts("letters, digits, dashes and underscores, up to 40"),
]


class RecordingSent(Input):
    """A web to be made of the pages of `crawls`, by their numbers. Pages that a crawl's judge calls
    relevant get the `label`, if one is given. An empty `name` is made of the numbers."""

    crawls: Annotated[
        tuple[Key, ...],
        Field(strict=False, min_length=1, max_length=MOST_CRAWLS),
        accepts(f"the numbers of 1 to {MOST_CRAWLS} crawls"),
    ]
    name: str = ""
    label: Label = ""


def recordable_crawls(user: User) -> QuerySet[Crawl]:
    """The crawls that a person may see and that have stored pages, newest first. A crawl that was
    run on a recorded web stores none: that web has them."""
    kept = {source.over for source in SOURCES if source.keeps_pages}
    return visible_crawls(user).filter(over__in=kept, pages__gt=0).order_by("-pk")


def recordings_of(user: User) -> QuerySet[Recording]:
    """A person's recordings that are under way or have failed, newest first."""
    return Recording.objects.filter(owner=user).exclude(job_state=Job.State.DONE)


def ask_for_recording(owner: User, sent: RecordingSent) -> Recording:
    """Queues a recording. Raises Refused."""
    crawls = _crawls(owner, sent.crawls)
    name = sent.name.strip() or f"crawl-{'-'.join(str(crawl.pk) for crawl in crawls)}"[:100]
    check_upload_name(owner, Upload.Kind.WEB, name)
    if recordings_of(owner).filter(name=name, job_state__in=queue.UNFINISHED).exists():
        raise CrawlRefused("name", f"A web {name} is being made now: choose another name.")
    if sent.label and not any(
        crawl.pages_fetched.filter(relevant=True).exists() for crawl in crawls
    ):
        raise CrawlRefused(
            "label",
            "No judge of these crawls calls a page relevant, so there is"
            " nothing to label: leave it empty.",
        )
    recording = Recording.objects.create(
        owner=owner,
        name=name,
        crawls=[crawl.pk for crawl in crawls],
        label=sent.label,
        pages=sum(crawl.pages for crawl in crawls),
    )
    queue.enqueue(recording)
    return recording


def ask_for_web_of_pages(crawl: Crawl, rerun: Mapping[str, Any]) -> Recording:
    """Queues the web of a crawl's present pages, on which it is to be run again; one under way is
    returned as it is. Raises CrawlRefused."""
    check_pages(crawl)
    name = web_name(crawl)
    under_way = Recording.objects.filter(name=name, job_state__in=queue.UNFINISHED)
    if same := under_way.filter(owner=crawl.owner).first():
        return same
    recording = Recording.objects.create(
        owner=crawl.owner, name=name, crawls=[crawl.pk], pages=crawl.pages, rerun=dict(rerun)
    )
    queue.enqueue(recording)
    return recording


def withdraw(recording: Recording) -> None:
    """Withdraws a recording, or removes a failed one from the list; a worker that makes it
    stops."""
    recording.delete()


def record(recording: Recording) -> None:
    """Makes the web and queues the index of its pages; an error is recorded in the job's row."""
    try:
        web = _recorded(recording)
    except Withdrawn:
        return
    except CrawlRefused as refused:
        queue.fail(recording, refused.message)
    except IntegrityError:
        queue.fail(recording, f"There is a web {recording.name} already: choose another name.")
    except BadWebFile as error:
        queue.fail(recording, f"{error_words(error)} Nothing was kept.")
    except (OSError, sqlite3.Error) as error:
        queue.fail(recording, f"It could not be written: {fault_words(error)}. Nothing was kept.")
    else:
        ask_for_index(web)


def _recorded(recording: Recording) -> Web:
    """The web, stored together with the end of the job. Raises Withdrawn, CrawlRefused,
    IntegrityError if the name is taken by now, StoreDown, OSError."""
    crawls = _crawls(recording.owner, recording.crawls)
    web = Web(name=recording.name, owner=recording.owner)
    # No other attempt and no upload writes to this folder.
    folder = new_folder(f"{recording.name}.{recording.pk}-{recording.job_attempt}")
    report = ProgressReporter(recording)
    try:
        write_web(web, folder, crawls, recording.label, lambda done: report(done=done))
        with transaction.atomic():
            web.save()
            if not queue.finish(recording, done=recording.pages):
                raise Withdrawn
            web_recorded.send(Recording, recording=recording, web=web)
    except BaseException:
        forget(folder)
        raise
    return web


def _crawls(user: User, numbers: Collection[int]) -> list[Crawl]:
    """The crawls of those numbers, newest first, so that an address has its latest copy. Raises
    CrawlRefused if one is not there."""
    crawls = list(recordable_crawls(user).filter(pk__in=numbers))
    if missing := sorted({*numbers} - {crawl.pk for crawl in crawls}):
        raise CrawlRefused(
            "crawls", f"Crawl #{missing[0]} has no stored pages, or is not there for you."
        )
    return crawls

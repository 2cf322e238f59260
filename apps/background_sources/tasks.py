"""The background job that builds a background."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from apps.background_sources.keeping import keep
from apps.background_sources.sources.catalogue import SOURCES, options_of
from apps.background_sources.sources.source import SMALLEST
from apps.backgrounds.files import folder_of
from apps.backgrounds.models import BackgroundVersion
from apps.engine.errors import BadWebFile, EngineError
from apps.engine.file_faults import fault_words
from apps.engine.representation.bags import Bags, BagsMaker
from apps.figures.quantities import number_of
from apps.jobs import queue
from apps.jobs.models import Job
from apps.jobs.progress_reporter import ProgressReporter, Withdrawn
from apps.schemas.refused import Refused
from apps.stored_files.files import forget
from apps.webs.messages import error_words

log = logging.getLogger("crawlsite.topics")
PREVIOUS_STAYS = "The version before it is kept."


def build(
    version: BackgroundVersion, report: Callable[[int, int], None] = lambda done, wanted: None
) -> None:
    """Builds one version from its source and removes the file of the one before; an error is
    recorded in its row.

    A building that was cut off begins anew. `report` is called with the texts read and wanted.
    """
    began = time.perf_counter()
    try:
        texts, skipped = _collect(version, report)
        values = keep(version, texts) | {
            "left_out": skipped,
            "seconds": round(time.perf_counter() - began, 1),
        }
    except Withdrawn:
        return
    except (Refused, EngineError, OSError) as error:
        queue.fail(version, _words(error, version))
        return
    if queue.finish(version, **values):
        _remove_older(version)


def _collect(version: BackgroundVersion, report: Callable[[int, int], None]) -> tuple[Bags, int]:
    """The texts, and how many were left out: a text that repeats another word for word, or has no
    word. Raises Refused if they are too few."""
    source = SOURCES[version.background.source]
    made, seen, skipped, record = BagsMaker(), set(), 0, ProgressReporter(version)

    def progress(done: int, wanted: int) -> None:
        if record(at_once=done >= wanted, done=done, wanted=wanted):
            report(done, wanted)

    for text in source.gather(version.background, options_of(version.background), progress):
        words = tuple(text.words)
        if hash(words) in seen or not made.add(words, text.urls, text.origin):
            skipped += 1
        seen.add(hash(words))
    if len(made) < SMALLEST:
        raise Refused(
            "",
            f"Its source has {number_of(len(made), 'text')} with words; a background"
            f" needs {SMALLEST} or more.",
        )
    return made.bags(), skipped


def _remove_older(version: BackgroundVersion) -> None:
    """Removes the files of earlier versions, which no new crawl can use."""
    older = BackgroundVersion.objects.filter(
        background=version.background, number__lt=version.number
    ).exclude(file="")
    for older_version in older.select_related("background"):
        forget(folder_of(older_version.background) / older_version.file)
    older.update(file="")


def _words(error: Exception, version: BackgroundVersion) -> str:
    if isinstance(error, Refused):
        sentence = error.message
    elif isinstance(error, BadWebFile):
        sentence = f"{error.detail[:1].upper()}{error.detail[1:]}."
    elif isinstance(error, EngineError):
        sentence = error_words(error)
    else:
        sentence = f"It could not be written: {fault_words(error)}."
    ready = version.background.versions.filter(job_state=Job.State.DONE).exists()
    return f"{sentence} {PREVIOUS_STAYS}" if ready else sentence

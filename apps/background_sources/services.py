"""Making, building again and deleting backgrounds."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from typing import Annotated, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.text import get_valid_filename
from pydantic import StringConstraints

from apps.background_sources.sources.catalogue import SOURCES
from apps.background_sources.sources.source import BackgroundSource, upload_folder
from apps.backgrounds.models import Background, BackgroundVersion
from apps.backgrounds.names import LONGEST_NAME, free_name
from apps.jobs import queue
from apps.jobs.deletion import delete_later
from apps.schemas.input import Input, Printable, accepts
from apps.schemas.refused import Refused
from apps.stored_files.errors import StoreDown
from apps.stored_files.files import forget, keep
from apps.topics.definition.lines import storable
from apps.topics.definition.schemas import Line
from apps.uploads.services import File

MOST_BYTES = 4 * 2**30


class BackgroundSent(Input):
    """A background to be built; without a name it gets that of its source."""

    name: Annotated[
        Line,
        StringConstraints(max_length=LONGEST_NAME),
        Printable,
        accepts("a name of up to 100 characters without control characters"),
    ] = ""
    source: Annotated[str, accepts("the id of a source")]
    options: dict[str, Any] = {}


def buildable() -> dict[str, BackgroundSource]:
    """The sources that a background can be built from, by id."""
    return {id: source for id, source in SOURCES.items() if source.can_be_built}


def make_background(owner: User, sent: BackgroundSent, file: File | None = None) -> Background:
    """A background whose first version is queued. Raises Refused at the field that is wrong."""
    source = SOURCES.get(sent.source)
    if source is None:
        raise Refused("source", f"There is no such source; there are: {', '.join(buildable())}.")
    options = source.options.read(_with_file(source, {**sent.options, "file": ""}, file))
    source.check(owner, options)
    if sent.name and Background.objects.filter(owner=owner, name=sent.name).exists():
        raise Refused("name", "You have a background of this name: choose another.")
    name = sent.name or free_name(owner, source.name(owner, options))
    with transaction.atomic():
        made = Background.objects.create(
            owner=owner, name=name, source=source.id, options=options.model_dump(mode="json")
        )
        if file is not None:
            _keep_file(made, file)
        _enqueue(made)
    return made


def build_again(background: Background, file: File | None = None) -> BackgroundVersion:
    """Queues another version, of another file if one is given; the present one serves until it is
    ready. A version under way goes on instead.

    Raises Refused if its source has nothing any more.
    """
    newest = background.newest
    if newest is not None and newest.is_under_way:
        return newest
    source = SOURCES[background.source]
    options = source.options.read(_with_file(source, background.options, file))
    source.check(background.owner, options)
    if file is not None:
        _keep_file(background, file)
        background.options = options.model_dump(mode="json")
        background.save(update_fields=["options"])
    return _enqueue(background)


def _with_file(
    source: BackgroundSource, options: Mapping[str, Any], file: File | None
) -> dict[str, Any]:
    """The options with the name of the file, if the source takes one: it is never taken from
    outside, since it is a path. Raises Refused."""
    if not source.takes_file:
        return {name: value for name, value in options.items() if name != "file"}
    if file is None:
        return {"file": options["file"]}
    if not file.size:
        raise Refused("file", "The file is empty.")
    if file.size > MOST_BYTES:
        raise Refused("file", f"The file is larger than {MOST_BYTES >> 30} GB.")
    if shutil.disk_usage(settings.DATA_DIR).free - file.size < settings.LEAST_FREE_DISK:
        raise Refused("file", "The disk is nearly full: free some space first.")
    return {"file": _file_name(file)}


def _file_name(file: File) -> str:
    return get_valid_filename(storable(file.name or "") or "file")[-LONGEST_NAME:]


def _keep_file(background: Background, file: File) -> None:
    folder = upload_folder(background)
    forget(folder)
    try:
        folder.mkdir(parents=True)
        with (folder / _file_name(file)).open("wb") as stored:
            for piece in file.chunks():
                stored.write(piece)
        keep(folder / _file_name(file))
    except StoreDown as error:
        raise Refused("file", f"The file could not be stored: {error}.") from None
    except OSError:
        raise Refused("file", "The disk is full: free some space, then try again.") from None


def _enqueue(background: Background) -> BackgroundVersion:
    last = background.versions.aggregate(last=Max("number"))["last"] or 0
    version = BackgroundVersion.objects.create(background=background, number=last + 1)
    queue.enqueue(version)
    return version


def cancel(background: Background) -> None:
    """Ends the building under way; a background that was never ready is deleted. Raises Refused if
    none is under way."""
    newest = background.newest
    if newest is None or not newest.is_under_way:
        raise Refused("", "It is not being built now.")
    queue.cancel(newest)
    newest.delete()
    if not background.versions.exists():
        delete_background(background)


def delete_background(background: Background) -> None:
    """Hides it; its versions and files are deleted in the background. Topics that chose it draw
    theirs again; crawls keep theirs."""
    newest = background.newest
    if newest is not None and newest.is_under_way:
        queue.cancel(newest)
    delete_later(background, background.owner)

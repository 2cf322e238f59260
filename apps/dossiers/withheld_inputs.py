"""The pages of a host that was taken down, as the examples and other inputs of topics, and as
candidates of topics that are being begun."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models import Q, QuerySet

from apps.begin.models import CandidatePage
from apps.crawls.models import Crawl
from apps.crawls.selectors import at_host
from apps.dossiers.models import TakeDown, WithheldInput
from apps.dossiers.withheld_pages import erase_spans
from apps.jobs import queue
from apps.topics.examples.page_store import topic_file
from apps.topics.models import (
    BackgroundPage,
    ClassPage,
    Example,
    InputPage,
    StoredPage,
    TargetPage,
    Topic,
    TopicSnapshot,
)
from apps.topics.stored_texts import forget_texts
from apps.topics.versions import new_version

CHUNK = 200
Heartbeat = Callable[[], bool]
_TAKEN_DOWN = {"fetch": StoredPage.Fetch.FAILED, "failure": StoredPage.Unusable.TAKEN_DOWN}
_STORED = {"title": "", "file": "", "offset": None, "length": None, "digest": "", **_TAKEN_DOWN}
_CANDIDATE = {"title": "", "text": "", "terms": {}, "links": [], "body": b"", **_TAKEN_DOWN}


@dataclass(frozen=True, slots=True)
class _Kind:
    """Rows with a content: the values of their fields while it is withheld, and the path to the
    topic."""

    model: type[models.Model]
    emptied: dict[str, Any]
    topic: str = "topic"

    @property
    def name(self) -> str:
        return str(self.model._meta.label_lower)

    @property
    def rows(self) -> QuerySet[Any]:
        return self.model._default_manager.order_by("pk")


_STORED_PAGES = (Example, InputPage, TargetPage, BackgroundPage, ClassPage)
_KINDS = (
    *(_Kind(model, _STORED) for model in _STORED_PAGES),
    _Kind(CandidatePage, _CANDIDATE, "draft__topic"),
)


def hide(
    row: TakeDown,
    crawls: QuerySet[Crawl],
    heartbeat: Heartbeat = lambda: True,
    most: int | None = None,
) -> bool:
    """Moves the content of such rows out of them, of all or of about `most`; topics learn without
    it from now on. False if the job is no longer wanted."""
    hidden = 0
    for kind in _KINDS:
        rows = _rows_of(row, kind).exclude(failure=StoredPage.Unusable.TAKEN_DOWN)
        while chunk := list(rows[:CHUNK]):
            if most is not None and hidden >= most:
                return True
            hidden += len(chunk)
            with transaction.atomic():
                _withhold(row, kind, chunk)
                kind.rows.filter(pk__in=[each.pk for each in chunk]).update(**kind.emptied)
            _learn_anew(chunk)
            if not heartbeat():
                return False
    return heartbeat()


def show(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Puts the content back, but for that of topics where another taking down holds it back."""
    _pass_on(row)
    for kind in _KINDS:
        while chunk := list(row.withheld_inputs.filter(kind=kind.name).order_by("pk")[:CHUNK]):
            with transaction.atomic():
                for each in chunk:
                    if each.content:
                        kind.rows.filter(pk=each.key).update(**_unpacked(bytes(each.content)))
                WithheldInput.objects.filter(pk__in=[each.pk for each in chunk]).delete()
            _learn_anew(kind.rows.filter(pk__in=[each.key for each in chunk]))
            if not heartbeat():
                return False
    return heartbeat()


def erase(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Erases the content from files, from snapshots and from here; empty rows with the addresses
    stay. Raises OSError."""
    for kind in _KINDS:
        rows = row.withheld_inputs.filter(kind=kind.name).exclude(content=b"").order_by("pk")
        while chunk := list(rows[:CHUNK]):
            if kind.model is not CandidatePage:
                _erase_records(kind, chunk)
            WithheldInput.objects.filter(pk__in=[each.pk for each in chunk]).update(content=b"")
            if not heartbeat():
                return False
    return heartbeat()


def _rows_of(row: TakeDown, kind: _Kind) -> QuerySet[Any]:
    """The rows whose page is the host's, or that a redirect led to there."""
    if row.everywhere:
        concerned = Q()
    else:
        concerned = Q(**{f"{kind.topic}__in": row.topics})
        if kind.model is CandidatePage:
            concerned |= Q(draft__topic=None, draft__owner=row.by_id)
    return kind.rows.filter(concerned, at_host(row.host, "url", "final_url"))


def _withhold(row: TakeDown, kind: _Kind, chunk: Iterable[Any]) -> None:
    """Keeps the content of rows; what was kept of one before is replaced."""
    WithheldInput.objects.bulk_create(
        (
            WithheldInput(take_down=row, kind=kind.name, key=each.pk, content=_packed(each, kind))
            for each in chunk
        ),
        update_conflicts=True,
        unique_fields=["kind", "key"],
        update_fields=["take_down", "content"],
    )


def _learn_anew(rows: Iterable[Any]) -> None:
    """Retrains the topics of these examples."""
    keys = {each.topic_id for each in rows if isinstance(each, Example)}
    for topic in Topic.objects.filter(pk__in=keys):
        new_version(topic)
        queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)


def _pass_on(row: TakeDown) -> None:
    """Hands what this take-down withheld to the other take-downs of the host, for their topics."""
    for other in TakeDown.objects.filter(host=row.host, undone_at=None).exclude(pk=row.pk):
        for kind in _KINDS:
            mine = row.withheld_inputs.filter(kind=kind.name)
            mine.filter(key__in=_rows_of(other, kind).values("pk")).update(take_down=other)


def _packed(row: Any, kind: _Kind) -> bytes:
    content = {name: getattr(row, name) for name in kind.emptied}
    if "body" in content:
        content["body"] = b64encode(bytes(content["body"])).decode()
    return zlib.compress(json.dumps({**content, "topic": _topic_of(row)}).encode())


def _topic_of(row: Any) -> int | None:
    return None if isinstance(row, CandidatePage) else row.topic_id


def _unpacked(content: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(zlib.decompress(content))
    del fields["topic"]
    if "body" in fields:
        fields["body"] = b64decode(fields["body"])
    return fields


def _erase_records(kind: _Kind, rows: Iterable[WithheldInput]) -> None:
    spans: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for each in rows:
        fields = json.loads(zlib.decompress(each.content))
        if fields["file"]:
            key = (fields["topic"], fields["file"])
            spans.setdefault(key, []).append((fields["offset"], fields["length"]))
    for (topic, file), of_file in spans.items():
        _forget_in_snapshots(topic, file, {offset for offset, _ in of_file})
        erase_spans(topic_file(topic, file), of_file)
        forget_texts(topic)


def _forget_in_snapshots(topic: int, file: str, offsets: set[int]) -> None:
    """Takes records out of the snapshots of the topic: crawls that start again learn without."""
    for snapshot in TopicSnapshot.objects.filter(topic=topic):
        examples = snapshot.data["examples"]
        left = [e for e in examples if e["file"] != file or e["offset"] not in offsets]
        if len(left) < len(examples):
            data = {**snapshot.data, "examples": left}
            TopicSnapshot.objects.filter(pk=snapshot.pk).update(data=data)

"""The topic of a crawl and its inputs besides, frozen with their provenance.

A worker freezes them before a crawl's first page: that may read thousands of pages, for which no
request and no transaction waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.crawls.lifecycle.lease import write_fenced
from apps.crawls.models import Crawl, FrozenInputs
from apps.engine.intelligence.strategies import strategy
from apps.topics.inputs.freezing import freeze, origins
from apps.topics.snapshots import snapshot


def freeze_topic(crawl: Crawl) -> None:
    """Freezes the topic as it is now, unless the crawl was given an earlier state of it, and the
    crawl's inputs; for the crawl's runner. A crawl that has been frozen stays unchanged.

    Raises OSError if the disk is full, BadWebFile if the topic's web cannot be read,
    LostOwnershipError.
    """
    if FrozenInputs.objects.filter(crawl=crawl).exists():
        return
    frozen = crawl.snapshot or snapshot(crawl.topic)
    needs = strategy(crawl.strategy).build(crawl.parameters).all_needs()
    given = freeze(crawl.topic, needs, crawl.judge)
    with transaction.atomic():
        write_fenced(crawl, snapshot=frozen, inputs=origins(given))
        FrozenInputs.objects.create(crawl=crawl, data=given)
    crawl.snapshot, crawl.inputs = frozen, origins(given)


def repeat_inputs(draft: Crawl, crawl: Crawl) -> None:
    """Gives a draft the topic as another crawl has it, and that crawl's inputs. One that has not
    been frozen yet has none to give."""
    stored = FrozenInputs.objects.filter(crawl=crawl).first()
    if stored is None:
        return
    draft.snapshot, draft.inputs = crawl.snapshot, origins(stored.data)
    draft.earlier, draft.earlier_pages = crawl.earlier, crawl.earlier_pages
    with transaction.atomic():
        FrozenInputs.objects.create(crawl=draft, data=stored.data)
        draft.save(update_fields=["snapshot", "inputs", "earlier", "earlier_pages"])


def frozen_inputs(crawl: Crawl) -> Mapping[str, Any]:
    """The frozen inputs of the crawl; empty if there are none."""
    row = FrozenInputs.objects.filter(crawl=crawl).first()
    return row.data if row else {}

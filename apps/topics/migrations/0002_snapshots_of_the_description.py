"""Topics get a new version where a snapshot of this one has no description, so that later crawls
take one that has it; crawls that have begun keep theirs."""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.db.models import Exists, F, OuterRef


def move_on(apps: Any, schema_editor: Any) -> None:
    topics = apps.get_model("topics", "Topic").objects
    snapshots = apps.get_model("topics", "TopicSnapshot").objects
    stale = snapshots.filter(topic=OuterRef("pk"), version=OuterRef("version"), format=1)
    topics = topics.filter(Exists(stale))
    keys = list(topics.values_list("pk", flat=True))
    topics.model.objects.filter(pk__in=keys, quality_version=F("version")).update(
        quality_version=F("quality_version") + 1
    )
    topics.model.objects.filter(pk__in=keys).update(version=F("version") + 1)


class Migration(migrations.Migration):
    dependencies = [("topics", "0001_initial")]

    operations = [migrations.RunPython(move_on, migrations.RunPython.noop)]

"""What was measured on gathered negatives goes; the next training measures on judged examples."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def drop_measures(apps: Any, schema_editor: Any) -> None:
    topics = apps.get_model("topics", "Topic").objects
    for topic in topics.filter(quality__positives__isnull=False).only("quality").iterator():
        gathered = topic.examples.filter(
            role="train", source="background", fetch="fetched", left_out=False
        )
        quality = {**topic.quality, "unjudged": gathered.count()}
        if quality["unjudged"]:
            advice = {"gathered_only": None} | dict.fromkeys(quality["advice"])
            quality |= {"models": [], "misjudged": [], "backgrounds": {}, "advice": list(advice)}
        topics.filter(pk=topic.pk).update(quality=quality)


class Migration(migrations.Migration):
    dependencies = [("topics", "0006_seeds_as_written")]

    operations = [migrations.RunPython(drop_measures, migrations.RunPython.noop)]

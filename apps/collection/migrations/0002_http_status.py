from __future__ import annotations

from typing import Any

from django.db import migrations, models


def read_from_pages(apps: Any, schema_editor: Any) -> None:
    """Entries of pages taken in before the column was there get their page's code."""
    schema_editor.execute(
        "UPDATE collection_entry SET http_status = (SELECT p.http_status FROM crawls_page p"
        " WHERE p.id = collection_entry.page_id) WHERE EXISTS (SELECT 1 FROM crawls_page p"
        " WHERE p.id = collection_entry.page_id AND p.http_status <> 200)"
    )


class Migration(migrations.Migration):
    dependencies = [("collection", "0001_initial"), ("crawls", "0004_label")]

    operations = [
        migrations.AddField(
            "entry", "http_status", models.PositiveSmallIntegerField(default=200),
            preserve_default=False,
        ),
        migrations.RunPython(read_from_pages, migrations.RunPython.noop),
        migrations.RemoveIndex("entry", "collected_by_facets"),
        migrations.AddIndex(
            "entry",
            models.Index(
                fields=["crawl", "verdict", "label", "target", "seed", "example", "tau_bin",
                        "http_status"],
                name="collected_by_counts",
            ),
        ),
    ]

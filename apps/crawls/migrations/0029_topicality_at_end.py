"""Topicality by all that a crawl knows at its end."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("crawls", "0028_pages_that_need_scripts")]

    operations = [
        migrations.AddField("page", "topicality_at_end", models.FloatField(null=True)),
    ]

import re

from django.db import migrations, models


def name_the_crawl(apps, schema_editor):
    """Webs made of a crawl's pages had its number in their name only."""
    for web in apps.get_model("webs", "Web").objects.filter(source="folder", owner__isnull=False):
        found = re.match(r"crawl-([1-9][0-9]{0,17})-[0-9]+-pages(-|\Z)", web.name)
        if found:
            web.made_of_crawls = [int(found[1])]
            web.save(update_fields=["made_of_crawls"])


class Migration(migrations.Migration):

    dependencies = [
        ("webs", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="web",
            name="made_of_crawls",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.RunPython(name_the_crawl, migrations.RunPython.noop),
    ]

from django.db import migrations, models
from django.db.models import Count, F
from django.db.models.functions import Floor

BINS = 10


def count_pages(apps, schema_editor):
    """The map of every crawl so far, as its commits will go on with it."""
    Crawl = apps.get_model("crawls", "Crawl")
    Page = apps.get_model("crawls", "Page")
    tenths = {"tau": Floor(F("topicality") * BINS), "sigma": Floor(F("status") * BINS)}
    for crawl in Crawl.objects.filter(pages__gt=0).only("pk"):
        groups = Page.objects.filter(crawl=crawl).order_by().values(**tenths)
        unknown, counts = 0, [[0] * BINS for _ in range(BINS)]
        for group in groups.annotate(number=Count("pk")):
            if group["tau"] is None or group["sigma"] is None:
                unknown += group["number"]
            else:
                row = counts[min(int(group["sigma"]), BINS - 1)]
                row[min(int(group["tau"]), BINS - 1)] += group["number"]
        Crawl.objects.filter(pk=crawl.pk).update(heat={"unknown": unknown, "counts": counts})


class Migration(migrations.Migration):

    dependencies = [
        ("crawls", "0004_recordings"),
    ]

    operations = [
        migrations.AddField(
            model_name="crawl",
            name="heat",
            field=models.JSONField(default=dict),
        ),
        migrations.RunPython(count_pages, migrations.RunPython.noop),
    ]

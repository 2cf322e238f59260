"""Gives the addresses that failed the kind of their last failure as their reason."""

from django.db import connection, migrations


def write_kinds(apps, schema_editor):
    entries = apps.get_model("crawls", "FrontierEntry").objects
    failures = apps.get_model("crawls", "FailedRequest").objects
    for crawl in entries.filter(state="e").order_by().values_list("crawl", flat=True).distinct():
        rows = failures.filter(crawl=crawl).order_by("request").values_list("number", "kind")
        kinds = dict(rows.iterator(5000))
        with connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE crawls_frontierentry SET reason = %s"
                " WHERE crawl_id = %s AND number = %s AND state = 'e'",
                [(kind, crawl, number) for number, kind in kinds.items()],
            )


class Migration(migrations.Migration):

    dependencies = [
        ('crawls', '0010_left_out'),
    ]

    operations = [
        migrations.RunPython(write_kinds, migrations.RunPython.noop),
    ]

"""Labels get the digests of their pages' addresses, and what a label overruled goes to the example."""

from hashlib import blake2b

from django.db import migrations
from django.db.models import Q

AT_ONCE = 500


def digest(text):
    size = {"digest_size": 8}
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), **size).digest(), "big", signed=True)


def fill_in(apps, schema_editor):
    """In chunks, so that a large table needs little memory."""
    Label = apps.get_model("crawls", "Label")
    after = 0
    while labels := list(Label.objects.filter(pk__gt=after).order_by("pk")[:AT_ONCE]):
        pages = pages_of(apps, labels)
        for label in labels:
            if (label.crawl_id, label.seq) in pages:
                label.address = digest(pages[label.crawl_id, label.seq].final_url)
                keep_overruled(apps, label, pages[label.crawl_id, label.seq])
        Label.objects.bulk_update(labels, ["address"])
        after = labels[-1].pk


def pages_of(apps, labels):
    Page = apps.get_model("crawls", "Page")
    pages = {}
    for crawl in {label.crawl_id for label in labels}:
        seqs = [label.seq for label in labels if label.crawl_id == crawl]
        rows = Page.objects.filter(crawl=crawl, seq__in=seqs).only("crawl", "seq", "url", "final_url")
        pages |= {(crawl, page.seq): page for page in rows}
    return pages


def keep_overruled(apps, label, page):
    """The example that a label in force overrules; one of another label is nobody's definition."""
    before = label.example_before
    if label.undone_at is not None or before is None or before["source"] == "label":
        return
    urls = [page.url, page.final_url]
    Example = apps.get_model("topics", "Example")
    topic = apps.get_model("crawls", "Crawl").objects.values_list("topic", flat=True).get(pk=label.crawl_id)
    at_page = Example.objects.filter(Q(url__in=urls) | Q(final_url__in=urls), topic=topic)
    at_page.filter(source="label").update(overruled=before)


class Migration(migrations.Migration):

    dependencies = [
        ('crawls', '0019_labels_of_people'),
        ('topics', '0004_labels_of_people'),
    ]

    operations = [
        migrations.RunPython(fill_in, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='label',
            name='example_before',
        ),
    ]

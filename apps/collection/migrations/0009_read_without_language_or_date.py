from django.db import migrations

READ = "page_id IN (SELECT page_id FROM collection_maintext)"


class Migration(migrations.Migration):
    """Pages that were read and show no language or day differ from those not read yet."""

    dependencies = [("collection", "0008_kind")]

    operations = [
        migrations.RunSQL(
            f"UPDATE collection_entry SET language = 'und' WHERE language = '' AND {READ}",
            "UPDATE collection_entry SET language = '' WHERE language = 'und'",
        ),
        migrations.RunSQL(
            "UPDATE collection_entry SET published_month = 0"
            f" WHERE published_month IS NULL AND {READ}",
            "UPDATE collection_entry SET published_month = NULL WHERE published_month = 0",
        ),
    ]

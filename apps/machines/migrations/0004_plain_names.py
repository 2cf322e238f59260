from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("machines", "0003_events")]

    operations = [
        migrations.RenameField("workers", "place", "system"),
        migrations.RenameField("workers", "said_at", "alive_at"),
        migrations.RenameField("workers", "told_silent", "silence_reported"),
        migrations.AlterModelOptions("workers", {"ordering": ["machine", "system"]}),
    ]

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("topics", "0007_unjudged_examples")]

    operations = [
        migrations.AddField(
            model_name="topic",
            name="hold_out",
            field=models.CharField(
                choices=[("addresses", "By Address"), ("regardless", "Regardless")],
                default="addresses",
                max_length=10,
            ),
        ),
    ]

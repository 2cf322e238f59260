"""Labels are stored with the question that they answer."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crawls', '0007_deleted_later'),
    ]

    operations = [
        migrations.AddField(
            model_name='label',
            name='kind',
            field=models.CharField(choices=[('measuring', 'Measuring'), ('teaching', 'Teaching'), ('picked', 'Picked')], default='picked', max_length=9),
        ),
    ]

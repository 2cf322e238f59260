from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crawls', '0014_site_lists'),
    ]

    operations = [
        migrations.AddField(
            model_name='page',
            name='kind',
            field=models.CharField(default='page', max_length=12),
        ),
        migrations.AddField(
            model_name='page',
            name='document_pages',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='page',
            name='has_no_text',
            field=models.BooleanField(default=False),
        ),
    ]

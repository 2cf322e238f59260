from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collection', '0007_opt_outs'),
        ('crawls', '0015_documents'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='entry',
            name='collected_by_counts',
        ),
        migrations.AddField(
            model_name='entry',
            name='kind',
            field=models.CharField(default='page', max_length=12),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(fields=['crawl', 'verdict', 'label', 'target', 'seed', 'example', 'tau_bin', 'http_status', 'needs_javascript', 'reserved', 'kind', 'crawl_set'], name='collected_by_counts'),
        ),
    ]

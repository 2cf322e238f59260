import django.db.models.deletion
from django.db import migrations, models

from apps.collection.indexing.word_index import drop_index, make_index


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('crawls', '0001_initial'),
        ('topics', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Progress',
            fields=[
                ('job_state', models.CharField(blank=True, choices=[('', 'None'), ('waiting', 'Waiting'), ('working', 'Working'), ('done', 'Done'), ('failed', 'Failed')], default='', max_length=7)),
                ('job_attempt', models.PositiveIntegerField(default=0)),
                ('job_worker', models.CharField(blank=True, max_length=60)),
                ('job_asked_at', models.DateTimeField(blank=True, null=True)),
                ('job_touched_at', models.DateTimeField(blank=True, null=True)),
                ('job_problem', models.TextField(blank=True)),
                ('crawl', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='collected', serialize=False, to='crawls.crawl')),
                ('listed', models.PositiveIntegerField(default=0)),
                ('indexed', models.PositiveIntegerField(default=0)),
                ('language', models.CharField(max_length=8, null=True)),
                ('marked', models.PositiveIntegerField(default=0)),
                ('indexed_at', models.DateTimeField(null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('page_id', models.BigAutoField(primary_key=True, serialize=False)),
                ('seq', models.PositiveIntegerField()),
                ('verdict', models.SmallIntegerField()),
                ('label', models.BooleanField(null=True)),
                ('target', models.BooleanField()),
                ('seed', models.BooleanField()),
                ('example', models.BooleanField(default=False)),
                ('tau_bin', models.SmallIntegerField()),
                ('topicality', models.FloatField(null=True)),
                ('status', models.FloatField(null=True)),
                ('day', models.DateField()),
                ('host', models.CharField(max_length=255)),
                ('http_status', models.PositiveSmallIntegerField()),
                ('address', models.BigIntegerField()),
                ('canonical', models.BigIntegerField(null=True)),
                ('fold', models.BigIntegerField(null=True)),
                ('crawl_set', models.BigIntegerField()),
                ('crawl', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='crawls.crawl')),
                ('topic', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='topics.topic')),
            ],
            options={
                'ordering': ['crawl', 'seq'],
                'indexes': [models.Index(fields=['topic', 'address'], name='collected_by_address'), models.Index(fields=['topic', 'canonical'], name='collected_by_canonical'), models.Index(fields=['fold'], name='collected_by_fold'), models.Index(fields=['crawl', 'host'], name='collected_by_host'), models.Index(fields=['crawl', 'verdict', 'label', 'target', 'seed', 'example', 'tau_bin', 'http_status', 'crawl_set'], name='collected_by_counts')],
                'constraints': [models.UniqueConstraint(fields=('crawl', 'seq'), name='collected_once_a_page')],
            },
        ),
        migrations.CreateModel(
            name='CrawlSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('crawls', models.TextField()),
                ('topic', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='topics.topic')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('topic', 'crawls'), name='one_set_of_the_same_crawls')],
            },
        ),
        migrations.CreateModel(
            name='Fingerprint',
            fields=[
                ('page_id', models.BigAutoField(primary_key=True, serialize=False)),
                ('sketch', models.BinaryField()),
                ('words', models.PositiveIntegerField()),
                ('band_0', models.PositiveIntegerField()),
                ('band_1', models.PositiveIntegerField()),
                ('band_2', models.PositiveIntegerField()),
                ('band_3', models.PositiveIntegerField()),
                ('band_4', models.PositiveIntegerField()),
                ('band_5', models.PositiveIntegerField()),
                ('band_6', models.PositiveIntegerField()),
                ('band_7', models.PositiveIntegerField()),
                ('band_8', models.PositiveIntegerField()),
                ('band_9', models.PositiveIntegerField()),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='crawls.crawl')),
                ('topic', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='topics.topic')),
            ],
            options={
                'indexes': [models.Index(fields=['topic', 'band_0'], name='fingerprint_band_0'), models.Index(fields=['topic', 'band_1'], name='fingerprint_band_1'), models.Index(fields=['topic', 'band_2'], name='fingerprint_band_2'), models.Index(fields=['topic', 'band_3'], name='fingerprint_band_3'), models.Index(fields=['topic', 'band_4'], name='fingerprint_band_4'), models.Index(fields=['topic', 'band_5'], name='fingerprint_band_5'), models.Index(fields=['topic', 'band_6'], name='fingerprint_band_6'), models.Index(fields=['topic', 'band_7'], name='fingerprint_band_7'), models.Index(fields=['topic', 'band_8'], name='fingerprint_band_8'), models.Index(fields=['topic', 'band_9'], name='fingerprint_band_9')],
            },
        ),
        migrations.RunPython(make_index, drop_index),
    ]

import apps.engine.model
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('topics', '0001_initial'),
        ('webs', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Crawl',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('over', models.CharField(default='http', max_length=20)),
                ('strategy', models.CharField(max_length=60)),
                ('parameters', models.JSONField(default=dict)),
                ('random_seed', models.BigIntegerField(default=1)),
                ('parent_policy', models.CharField(default='max', max_length=40)),
                ('judge', models.CharField(default='separate', max_length=10)),
                ('judged_by', models.CharField(blank=True, max_length=20)),
                ('budget', models.PositiveIntegerField()),
                ('request_limit', models.PositiveIntegerField()),
                ('hours', models.FloatField(null=True)),
                ('scope', models.JSONField(default=dict)),
                ('politeness', models.JSONField(default=dict)),
                ('earlier_pages', models.PositiveIntegerField(null=True)),
                ('inputs', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('queued', 'queued'), ('running', 'running'), ('paused', 'paused'), ('stopping', 'stopping'), ('finished', 'finished'), ('failed', 'failed')], default=apps.engine.model.State['DRAFT'], max_length=10)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('reason_details', models.JSONField(default=dict)),
                ('desired', models.CharField(choices=[('run', 'Run'), ('pause', 'Pause'), ('stop', 'Stop')], default='run', max_length=5)),
                ('epoch', models.PositiveIntegerField(default=0)),
                ('runner', models.CharField(blank=True, max_length=120)),
                ('lease_until', models.DateTimeField(null=True)),
                ('enqueued_at', models.DateTimeField(null=True)),
                ('checkpoint', models.CharField(blank=True, max_length=200)),
                ('commits', models.PositiveBigIntegerField(default=0)),
                ('pages', models.PositiveIntegerField(default=0)),
                ('requests', models.PositiveIntegerField(default=0)),
                ('discovered', models.PositiveIntegerField(default=0)),
                ('waiting', models.PositiveIntegerField(default=0)),
                ('failed', models.PositiveIntegerField(default=0)),
                ('excluded', models.PositiveIntegerField(default=0)),
                ('errors', models.JSONField(default=dict)),
                ('excluded_reasons', models.JSONField(default=dict)),
                ('metrics', models.JSONField(default=dict)),
                ('queue_head', models.JSONField(default=list)),
                ('warnings', models.JSONField(default=list)),
                ('seconds', models.FloatField(default=0)),
                ('cpu_seconds', models.FloatField(default=0)),
                ('reorder_seconds', models.FloatField(default=0)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('note', models.TextField(blank=True)),
                ('tags', models.JSONField(default=list)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('desired_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('earlier', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='learners', to='crawls.crawl')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='crawls', to=settings.AUTH_USER_MODEL)),
                ('snapshot', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='topics.topicsnapshot')),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='crawls', to='topics.topic')),
                ('web', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='crawls', to='webs.web')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=30)),
                ('payload', models.JSONField(default=dict)),
                ('asked_at', models.DateTimeField(auto_now_add=True)),
                ('applied', models.BooleanField(default=False)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='crawls.crawl')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='FrozenInputs',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('data', models.JSONField()),
                ('crawl', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='frozen_inputs', to='crawls.crawl')),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('request', models.PositiveIntegerField()),
                ('pages', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=30)),
                ('payload', models.JSONField(default=dict)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='crawls.crawl')),
            ],
            options={
                'ordering': ['seq'],
            },
        ),
        migrations.CreateModel(
            name='FailedRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('request', models.PositiveIntegerField()),
                ('number', models.PositiveIntegerField()),
                ('url', models.TextField()),
                ('final_url', models.TextField()),
                ('host', models.CharField(max_length=255)),
                ('kind', models.CharField(max_length=40)),
                ('detail', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='failed_requests', to='crawls.crawl')),
            ],
            options={
                'ordering': ['request'],
            },
        ),
        migrations.CreateModel(
            name='FrontierEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('url', models.TextField()),
                ('parent', models.BigIntegerField()),
                ('depth', models.PositiveIntegerField()),
                ('priority', models.FloatField()),
                ('state', models.CharField(choices=[('w', 'Waiting'), ('f', 'Fetched'), ('e', 'Failed'), ('x', 'Excluded')], max_length=1)),
                ('reason', models.CharField(blank=True, max_length=24)),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='frontier', to='crawls.crawl')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='HostRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('host', models.CharField(max_length=255)),
                ('pages', models.PositiveIntegerField(default=0)),
                ('relevant', models.PositiveIntegerField(default=0)),
                ('waiting', models.PositiveIntegerField(default=0)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('errors', models.JSONField(default=dict)),
                ('delay', models.FloatField(default=0)),
                ('next_allowed', models.DateTimeField(null=True)),
                ('blocked', models.CharField(blank=True, max_length=40)),
                ('excluded', models.BooleanField(default=False)),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hosts', to='crawls.crawl')),
            ],
            options={
                'ordering': ['-pages'],
            },
        ),
        migrations.CreateModel(
            name='KeptText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('text', models.BinaryField()),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='texts', to='crawls.crawl')),
            ],
            options={
                'ordering': ['seq'],
            },
        ),
        migrations.CreateModel(
            name='Label',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('relevant', models.BooleanField()),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('undone_at', models.DateTimeField(null=True)),
                ('example_before', models.JSONField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='labels', to='crawls.crawl')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Outlinks',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('format', models.PositiveSmallIntegerField(default=1)),
                ('targets', models.BinaryField()),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outlinks', to='crawls.crawl')),
            ],
            options={
                'ordering': ['seq'],
            },
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('request', models.PositiveIntegerField()),
                ('number', models.PositiveIntegerField()),
                ('url', models.TextField()),
                ('final_url', models.TextField()),
                ('host', models.CharField(max_length=255)),
                ('http_status', models.PositiveSmallIntegerField()),
                ('title', models.TextField(blank=True)),
                ('words', models.PositiveIntegerField()),
                ('topicality', models.FloatField(null=True)),
                ('status', models.FloatField(null=True)),
                ('status_log', models.FloatField(null=True)),
                ('votes', models.PositiveSmallIntegerField(null=True)),
                ('votes_of', models.PositiveSmallIntegerField(null=True)),
                ('probability', models.FloatField(null=True)),
                ('relevant', models.BooleanField(null=True)),
                ('target', models.BooleanField(default=False)),
                ('seed', models.BooleanField(default=False)),
                ('priority', models.FloatField()),
                ('parent', models.BigIntegerField()),
                ('depth', models.PositiveIntegerField()),
                ('needs_javascript', models.BooleanField(default=False)),
                ('truncated', models.BooleanField(default=False)),
                ('canonical', models.TextField(blank=True)),
                ('fetched_at', models.DateTimeField()),
                ('seconds', models.FloatField()),
                ('digest', models.CharField(max_length=80)),
                ('file', models.CharField(max_length=200)),
                ('offset', models.BigIntegerField()),
                ('length', models.BigIntegerField()),
                ('telemetry', models.JSONField(default=dict)),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages_fetched', to='crawls.crawl')),
            ],
            options={
                'ordering': ['seq'],
            },
        ),
        migrations.CreateModel(
            name='Sample',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('pages', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('metrics', models.JSONField()),
                ('crawl', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='samples', to='crawls.crawl')),
            ],
            options={
                'ordering': ['seq'],
            },
        ),
        migrations.AddIndex(
            model_name='crawl',
            index=models.Index(fields=['state'], name='crawl_by_state'),
        ),
        migrations.AddIndex(
            model_name='change',
            index=models.Index(fields=['crawl', 'applied'], name='change_by_crawl'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('crawl', 'seq'), name='event_once_a_crawl'),
        ),
        migrations.AddIndex(
            model_name='failedrequest',
            index=models.Index(fields=['crawl', 'kind'], name='failure_by_kind'),
        ),
        migrations.AddConstraint(
            model_name='failedrequest',
            constraint=models.UniqueConstraint(fields=('crawl', 'request'), name='failure_once_a_request'),
        ),
        migrations.AddConstraint(
            model_name='frontierentry',
            constraint=models.UniqueConstraint(fields=('crawl', 'number'), name='entry_once_a_crawl'),
        ),
        migrations.AddConstraint(
            model_name='hostrecord',
            constraint=models.UniqueConstraint(fields=('crawl', 'host'), name='host_once_a_crawl'),
        ),
        migrations.AddConstraint(
            model_name='kepttext',
            constraint=models.UniqueConstraint(fields=('crawl', 'seq'), name='text_once_a_page'),
        ),
        migrations.AddConstraint(
            model_name='label',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('crawl', 'seq'), name='one_label_a_page'),
        ),
        migrations.AddConstraint(
            model_name='outlinks',
            constraint=models.UniqueConstraint(fields=('crawl', 'seq'), name='outlinks_once_a_page'),
        ),
        migrations.AddIndex(
            model_name='page',
            index=models.Index(fields=['crawl', 'host'], name='page_by_host'),
        ),
        migrations.AddConstraint(
            model_name='page',
            constraint=models.UniqueConstraint(fields=('crawl', 'seq'), name='page_once_a_crawl'),
        ),
        migrations.AddConstraint(
            model_name='page',
            constraint=models.UniqueConstraint(fields=('crawl', 'number'), name='page_once_a_url'),
        ),
        migrations.AddConstraint(
            model_name='sample',
            constraint=models.UniqueConstraint(fields=('crawl', 'seq'), name='sample_once_a_crawl'),
        ),
    ]

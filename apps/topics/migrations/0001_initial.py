import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('backgrounds', '0001_initial'),
        ('directories', '0001_initial'),
        ('webs', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Topic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job_state', models.CharField(blank=True, choices=[('', 'None'), ('waiting', 'Waiting'), ('working', 'Working'), ('done', 'Done'), ('failed', 'Failed')], default='', max_length=7)),
                ('job_attempt', models.PositiveIntegerField(default=0)),
                ('job_worker', models.CharField(blank=True, max_length=60)),
                ('job_asked_at', models.DateTimeField(blank=True, null=True)),
                ('job_touched_at', models.DateTimeField(blank=True, null=True)),
                ('job_problem', models.TextField(blank=True)),
                ('name', models.CharField(max_length=200)),
                ('description', models.TextField(blank=True)),
                ('keywords', models.JSONField(blank=True, default=list)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('web_label', models.CharField(blank=True, max_length=200)),
                ('class_depth', models.PositiveSmallIntegerField(default=0)),
                ('negatives_per_positive', models.PositiveSmallIntegerField(default=2)),
                ('background', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='topics', to='backgrounds.background')),
                ('background_use', models.CharField(choices=[('drawn', 'Drawn'), ('none', 'None')], default='drawn', max_length=5)),
                ('version', models.PositiveIntegerField(default=1)),
                ('quality', models.JSONField(blank=True, null=True)),
                ('quality_version', models.PositiveIntegerField(blank=True, null=True)),
                ('random_seed', models.BigIntegerField(default=1)),
                ('batch', models.CharField(blank=True, db_index=True, max_length=32)),
                ('typed', models.JSONField(blank=True, default=dict)),
                ('work_wanted', models.CharField(blank=True, choices=[('', 'None'), ('fetching', 'Fetching'), ('gathering', 'Gathering'), ('training', 'Training'), ('scanning', 'Scanning'), ('checking', 'Checking'), ('classes', 'Classes')], default='', max_length=10)),
                ('is_demo', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('category', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='directories.directorytopic')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='topics', to=settings.AUTH_USER_MODEL)),
                ('web', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='webs.web')),
            ],
            options={
                'ordering': ['-changed_at'],
            },
        ),
        migrations.CreateModel(
            name='TargetPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('fetch', models.CharField(choices=[('waiting', 'Waiting'), ('fetched', 'Fetched'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('failure', models.CharField(blank=True, max_length=40)),
                ('final_url', models.TextField(blank=True)),
                ('title', models.TextField(blank=True)),
                ('words', models.PositiveIntegerField(null=True)),
                ('file', models.CharField(blank=True, max_length=200)),
                ('offset', models.BigIntegerField(null=True)),
                ('length', models.BigIntegerField(null=True)),
                ('digest', models.CharField(blank=True, max_length=80)),
                ('added_at', models.DateTimeField(auto_now_add=True)),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='target_pages', to='topics.topic')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Target',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('state', models.CharField(blank=True, choices=[('', 'Unknown'), ('asked', 'Asked'), ('reachable', 'Reachable'), ('moved', 'Moved'), ('gone', 'Gone'), ('unclear', 'Unclear')], default='', max_length=9)),
                ('detail', models.TextField(blank=True)),
                ('checked_at', models.DateTimeField(null=True)),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='targets', to='topics.topic')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='InputTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job_state', models.CharField(blank=True, choices=[('', 'None'), ('waiting', 'Waiting'), ('working', 'Working'), ('done', 'Done'), ('failed', 'Failed')], default='', max_length=7)),
                ('job_attempt', models.PositiveIntegerField(default=0)),
                ('job_worker', models.CharField(blank=True, max_length=60)),
                ('job_asked_at', models.DateTimeField(blank=True, null=True)),
                ('job_touched_at', models.DateTimeField(blank=True, null=True)),
                ('job_problem', models.TextField(blank=True)),
                ('kind', models.CharField(max_length=20)),
                ('name', models.CharField(max_length=200)),
                ('file', models.CharField(max_length=200)),
                ('rows', models.PositiveIntegerField(default=0)),
                ('skipped', models.PositiveIntegerField(default=0)),
                ('errors', models.JSONField(blank=True, default=list)),
                ('added_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to=settings.AUTH_USER_MODEL)),
                ('topic', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='topics.topic')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='InputPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('fetch', models.CharField(choices=[('waiting', 'Waiting'), ('fetched', 'Fetched'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('failure', models.CharField(blank=True, max_length=40)),
                ('final_url', models.TextField(blank=True)),
                ('title', models.TextField(blank=True)),
                ('words', models.PositiveIntegerField(null=True)),
                ('file', models.CharField(blank=True, max_length=200)),
                ('offset', models.BigIntegerField(null=True)),
                ('length', models.BigIntegerField(null=True)),
                ('digest', models.CharField(blank=True, max_length=80)),
                ('added_at', models.DateTimeField(auto_now_add=True)),
                ('kind', models.CharField(choices=[('corpus', 'Corpus'), ('backlinks', 'Backlink')], max_length=10)),
                ('origin', models.CharField(choices=[('named', 'Named'), ('found', 'Found')], default='named', max_length=5)),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='input_pages', to='topics.topic')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Seed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('position', models.PositiveIntegerField()),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seeds', to='topics.topic')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='InlinkCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('count', models.PositiveIntegerField()),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='inlink_counts', to='topics.topic')),
            ],
        ),
        migrations.CreateModel(
            name='Example',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('fetch', models.CharField(choices=[('waiting', 'Waiting'), ('fetched', 'Fetched'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('failure', models.CharField(blank=True, max_length=40)),
                ('final_url', models.TextField(blank=True)),
                ('title', models.TextField(blank=True)),
                ('words', models.PositiveIntegerField(null=True)),
                ('file', models.CharField(blank=True, max_length=200)),
                ('offset', models.BigIntegerField(null=True)),
                ('length', models.BigIntegerField(null=True)),
                ('digest', models.CharField(blank=True, max_length=80)),
                ('added_at', models.DateTimeField(auto_now_add=True)),
                ('relevant', models.BooleanField()),
                ('role', models.CharField(choices=[('train', 'Train'), ('evaluate', 'Evaluate')], default='train', max_length=10)),
                ('source', models.CharField(choices=[('named', 'Named'), ('other_topic', 'Other Topic'), ('background', 'Background'), ('label', 'Label')], default='named', max_length=12)),
                ('weight', models.FloatField(default=1.0)),
                ('probability', models.FloatField(null=True)),
                ('left_out', models.BooleanField(default=False)),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='examples', to='topics.topic')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ClassPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('fetch', models.CharField(choices=[('waiting', 'Waiting'), ('fetched', 'Fetched'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('failure', models.CharField(blank=True, max_length=40)),
                ('final_url', models.TextField(blank=True)),
                ('title', models.TextField(blank=True)),
                ('words', models.PositiveIntegerField(null=True)),
                ('file', models.CharField(blank=True, max_length=200)),
                ('offset', models.BigIntegerField(null=True)),
                ('length', models.BigIntegerField(null=True)),
                ('digest', models.CharField(blank=True, max_length=80)),
                ('added_at', models.DateTimeField(auto_now_add=True)),
                ('name', models.TextField()),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='class_pages', to='topics.topic')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='BackgroundPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('fetch', models.CharField(choices=[('waiting', 'Waiting'), ('fetched', 'Fetched'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('failure', models.CharField(blank=True, max_length=40)),
                ('final_url', models.TextField(blank=True)),
                ('title', models.TextField(blank=True)),
                ('words', models.PositiveIntegerField(null=True)),
                ('file', models.CharField(blank=True, max_length=200)),
                ('offset', models.BigIntegerField(null=True)),
                ('length', models.BigIntegerField(null=True)),
                ('digest', models.CharField(blank=True, max_length=80)),
                ('added_at', models.DateTimeField(auto_now_add=True)),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='background_pages', to='topics.topic')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='TopicSnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('format', models.PositiveSmallIntegerField(default=1)),
                ('data', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='snapshots', to='topics.topic')),
            ],
        ),
        migrations.AddConstraint(
            model_name='topic',
            constraint=models.UniqueConstraint(fields=('owner', 'name'), name='topic_name_once_an_owner'),
        ),
        migrations.AddConstraint(
            model_name='targetpage',
            constraint=models.UniqueConstraint(fields=('topic', 'url'), name='target_page_once_a_topic'),
        ),
        migrations.AddConstraint(
            model_name='target',
            constraint=models.UniqueConstraint(fields=('topic', 'url'), name='target_once_a_topic'),
        ),
        migrations.AddIndex(
            model_name='inputtable',
            index=models.Index(fields=['owner', 'kind'], name='table_by_owner'),
        ),
        migrations.AddConstraint(
            model_name='inputpage',
            constraint=models.UniqueConstraint(fields=('topic', 'kind', 'url'), name='input_page_once_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='seed',
            constraint=models.UniqueConstraint(fields=('topic', 'url'), name='seed_once_a_topic'),
        ),
        migrations.AddConstraint(
            model_name='inlinkcount',
            constraint=models.UniqueConstraint(fields=('topic', 'url'), name='inlinks_once_a_url'),
        ),
        migrations.AddConstraint(
            model_name='example',
            constraint=models.UniqueConstraint(fields=('topic', 'url'), name='example_once_a_topic'),
        ),
        migrations.AddConstraint(
            model_name='classpage',
            constraint=models.UniqueConstraint(fields=('topic', 'url'), name='class_page_once_a_topic'),
        ),
        migrations.AddConstraint(
            model_name='backgroundpage',
            constraint=models.UniqueConstraint(fields=('topic', 'url'), name='background_page_once_a_topic'),
        ),
        migrations.AddConstraint(
            model_name='topicsnapshot',
            constraint=models.UniqueConstraint(fields=('topic', 'version'), name='snapshot_once_a_version'),
        ),
    ]

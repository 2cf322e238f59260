import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Web',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True)),
                ('source', models.CharField(choices=[('live', 'Live'), ('folder', 'Folder'), ('demo', 'Demo')], max_length=8)),
                ('folder', models.CharField(blank=True, max_length=200)),
                ('seed', models.BigIntegerField(default=0)),
                ('pages', models.PositiveIntegerField(null=True)),
                ('hosts', models.PositiveIntegerField(null=True)),
                ('served_port', models.PositiveIntegerField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webs', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='PageIndexing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job_state', models.CharField(blank=True, choices=[('', 'None'), ('waiting', 'Waiting'), ('working', 'Working'), ('done', 'Done'), ('failed', 'Failed')], default='', max_length=7)),
                ('job_attempt', models.PositiveIntegerField(default=0)),
                ('job_worker', models.CharField(blank=True, max_length=60)),
                ('job_asked_at', models.DateTimeField(blank=True, null=True)),
                ('job_touched_at', models.DateTimeField(blank=True, null=True)),
                ('job_problem', models.TextField(blank=True)),
                ('done', models.PositiveIntegerField(default=0)),
                ('web', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='page_indexing', to='webs.web')),
            ],
            options={
                'abstract': False,
            },
        ),
    ]

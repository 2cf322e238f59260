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
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job_state', models.CharField(blank=True, choices=[('', 'None'), ('waiting', 'Waiting'), ('working', 'Working'), ('done', 'Done'), ('failed', 'Failed')], default='', max_length=7)),
                ('job_attempt', models.PositiveIntegerField(default=0)),
                ('job_worker', models.CharField(blank=True, max_length=60)),
                ('job_asked_at', models.DateTimeField(blank=True, null=True)),
                ('job_touched_at', models.DateTimeField(blank=True, null=True)),
                ('job_problem', models.TextField(blank=True)),
                ('kind', models.CharField(choices=[('web', 'Web'), ('directory', 'Directory')], max_length=9)),
                ('name', models.CharField(max_length=200)),
                ('file_name', models.CharField(max_length=200)),
                ('leave_out_bad', models.BooleanField(default=False)),
                ('bad_line', models.PositiveIntegerField(null=True)),
                ('redirects_name', models.CharField(blank=True, max_length=200)),
                ('folder', models.CharField(max_length=64)),
                ('size', models.BigIntegerField()),
                ('read', models.BigIntegerField(default=0)),
                ('report', models.JSONField(blank=True, default=dict)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uploads', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['owner', 'kind'], name='upload_by_owner')],
            },
        ),
    ]

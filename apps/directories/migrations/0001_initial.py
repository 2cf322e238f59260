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
            name='Directory',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job_state', models.CharField(blank=True, choices=[('', 'None'), ('waiting', 'Waiting'), ('working', 'Working'), ('done', 'Done'), ('failed', 'Failed')], default='', max_length=7)),
                ('job_attempt', models.PositiveIntegerField(default=0)),
                ('job_worker', models.CharField(blank=True, max_length=60)),
                ('job_asked_at', models.DateTimeField(blank=True, null=True)),
                ('job_touched_at', models.DateTimeField(blank=True, null=True)),
                ('job_problem', models.TextField(blank=True)),
                ('name', models.CharField(max_length=200)),
                ('categories', models.PositiveIntegerField(default=0)),
                ('pages', models.PositiveIntegerField(default=0)),
                ('sites', models.PositiveIntegerField(default=0)),
                ('skipped', models.JSONField(blank=True, default=dict)),
                ('ready', models.BooleanField(default=True)),
                ('imported_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='directories', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'directories',
                'ordering': ['-imported_at'],
            },
        ),
        migrations.CreateModel(
            name='DirectorySite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(max_length=260)),
                ('directory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='listed_sites', to='directories.directory')),
            ],
        ),
        migrations.CreateModel(
            name='DirectoryTopic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.TextField()),
                ('parent', models.TextField()),
                ('depth', models.PositiveSmallIntegerField()),
                ('own_pages', models.PositiveIntegerField(default=0)),
                ('all_pages', models.PositiveIntegerField(default=0)),
                ('directory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='topics', to='directories.directory')),
            ],
            options={
                'ordering': ['path'],
            },
        ),
        migrations.CreateModel(
            name='DirectoryPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('title', models.TextField(blank=True)),
                ('description', models.TextField(blank=True)),
                ('topic', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages', to='directories.directorytopic')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddConstraint(
            model_name='directory',
            constraint=models.UniqueConstraint(fields=('owner', 'name'), name='directory_once_an_owner'),
        ),
        migrations.AddConstraint(
            model_name='directorysite',
            constraint=models.UniqueConstraint(fields=('directory', 'domain'), name='site_once_a_directory'),
        ),
        migrations.AddIndex(
            model_name='directorytopic',
            index=models.Index(fields=['directory', 'parent'], name='category_by_parent'),
        ),
        migrations.AddConstraint(
            model_name='directorytopic',
            constraint=models.UniqueConstraint(fields=('directory', 'path'), name='category_once_a_directory'),
        ),
        migrations.AddConstraint(
            model_name='directorypage',
            constraint=models.UniqueConstraint(fields=('topic', 'url'), name='page_once_a_category'),
        ),
    ]

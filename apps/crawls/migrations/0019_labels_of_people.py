"""A label belongs to a person; disagreements are settled."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crawls', '0018_rerun_on_recording'),
        ('topics', '0004_labels_of_people'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Settlement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.BigIntegerField()),
                ('url', models.TextField()),
                ('relevant', models.BooleanField(null=True)),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('undone_at', models.DateTimeField(null=True)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='label',
            name='one_label_a_page',
        ),
        migrations.AddField(
            model_name='label',
            name='address',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='label',
            name='note',
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name='settlement',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='settlement',
            name='topic',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='settlements', to='topics.topic'),
        ),
        migrations.AddField(
            model_name='label',
            name='settlement',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='labels', to='crawls.settlement'),
        ),
        migrations.AddIndex(
            model_name='label',
            index=models.Index(fields=['address'], name='labels_by_address'),
        ),
        migrations.AddConstraint(
            model_name='label',
            constraint=models.UniqueConstraint(condition=models.Q(('settlement', None), ('undone_at', None)), fields=('crawl', 'seq', 'by'), name='one_label_a_person'),
        ),
        migrations.AddConstraint(
            model_name='label',
            constraint=models.UniqueConstraint(condition=models.Q(('settlement__isnull', False), ('undone_at', None)), fields=('crawl', 'seq'), name='one_settled_label_a_page'),
        ),
        migrations.AddConstraint(
            model_name='settlement',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('topic', 'address'), name='one_settlement_a_page'),
        ),
    ]

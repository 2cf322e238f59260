import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crawls', '0003_sources'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
                'constraints': [models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('crawl', 'seq'), name='one_label_a_page')],
            },
        ),
    ]

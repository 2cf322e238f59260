from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [('directories', '0002_deleted_later')]

    operations = [
        migrations.RemoveField(
            model_name='directory',
            name='job_asked_at',
        ),
        migrations.RemoveField(
            model_name='directory',
            name='job_attempt',
        ),
        migrations.RemoveField(
            model_name='directory',
            name='job_problem',
        ),
        migrations.RemoveField(
            model_name='directory',
            name='job_state',
        ),
        migrations.RemoveField(
            model_name='directory',
            name='job_touched_at',
        ),
        migrations.RemoveField(
            model_name='directory',
            name='job_worker',
        ),
    ]

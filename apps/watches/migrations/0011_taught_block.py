import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('watches', '0010_search_problem'),
    ]

    operations = [
        migrations.RenameModel('TaughtNoise', 'TaughtBlock'),
        migrations.AddField(
            model_name='taughtblock',
            name='is_change',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name='taughtblock',
            name='observation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='taught_blocks', to='watches.observation'),
        ),
        migrations.AlterField(
            model_name='taughtblock',
            name='watch',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='taught_blocks', to='watches.watch'),
        ),
    ]

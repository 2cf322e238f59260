from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('begin', '0004_starts_itself'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='draft',
            name='form_token',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
        migrations.AddConstraint(
            model_name='draft',
            constraint=models.UniqueConstraint(
                condition=models.Q(('form_token', ''), _negated=True),
                fields=('owner', 'form_token'),
                name='draft_once_a_form',
            ),
        ),
    ]

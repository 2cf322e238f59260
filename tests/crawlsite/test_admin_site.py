"""No screen takes the name of a function, and no stored row makes a worker call one."""

from __future__ import annotations

import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db.models import TextField
from django.db.models.fields import CharField
from django.urls import NoReverseMatch, reverse
from django_q.conf import Conf

from crawlsite.admin_site import SHOWN_LIBRARIES
from tests.people import person, site_of

admin.autodiscover()
NAMES_A_FUNCTION = re.compile(r"func|hook|callable|dotted|import_path|module")


def test_the_admin_shows_the_sites_own_tables_and_accounts_only() -> None:
    names = {model._meta.app_config.name for model in admin.site._registry}
    assert {User, Group} <= set(admin.site._registry)
    assert {name for name in names if not name.startswith("apps.")} <= SHOWN_LIBRARIES


@pytest.mark.django_db
@pytest.mark.parametrize("model", ["schedule", "success", "failure", "ormq"])
def test_an_administrator_finds_no_screen_of_the_workers_tasks(model: str) -> None:
    site = site_of(person("ada", is_superuser=True, is_staff=True))
    assert site.get(f"/admin/django_q/{model}/").status_code == 404
    assert site.post(f"/admin/django_q/{model}/add/", {"func": "os.system"}).status_code == 404
    with pytest.raises(NoReverseMatch):
        reverse(f"admin:django_q_{model}_changelist")


def test_no_editable_table_of_the_admin_names_a_function() -> None:
    fields = [
        f"{model._meta.label}.{field.name}"
        for model in admin.site._registry
        for field in model._meta.get_fields()
        if isinstance(field, CharField | TextField) and NAMES_A_FUNCTION.search(field.name)
    ]
    assert fields == []


def test_the_checks_look_at_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[bool] = []
    monkeypatch.setattr(admin, "autodiscover", lambda: loaded.append(True))
    assert admin.site.check(None) == []
    assert loaded


def test_the_workers_run_no_schedules() -> None:
    assert not Conf.SCHEDULER

"""What connections to PostgreSQL are told."""

from __future__ import annotations

import pytest
from django.db import connection


@pytest.mark.django_db
def test_the_planner_reads_five_hundred_rows_by_their_index() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no such settings")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('random_page_cost'), current_setting('jit')")
        assert cursor.fetchone() == ("1.1", "off")

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from crawlsite.time_zone import valid_zone


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin"])
def test_a_zone_is_taken(name: str) -> None:
    assert valid_zone(name) == name


@pytest.mark.parametrize("name", ["Nowhere/X", "", "../etc/passwd", "Europe"])
def test_another_is_refused_by_the_name_of_the_setting(name: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"CRAWLSITE_TIME_ZONE.*Europe/Berlin"):
        valid_zone(name)

"""What machines that share the database, but no disk, must know of the site."""

from __future__ import annotations

import secrets

from django.db import models


def new_key() -> str:
    """A key of 32 random bytes, hexadecimal."""
    return secrets.token_hex(32)


class Site(models.Model):
    """The one row of the site: the version of its code, and the key that signs what coordinators
    and agents write into Redis."""

    code = models.CharField(max_length=20, blank=True)
    key = models.CharField(max_length=64, default=new_key)

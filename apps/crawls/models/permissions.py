"""Permissions to take the pages of a host whose certificate is not valid."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class CertificatePermission(models.Model):
    """A permission for a host's pages in spite of its certificate, for all crawls of a topic, with
    the persons who gave it and took it back; `fault` is the certificate's fault at that time."""

    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="certificates")
    host = models.CharField(max_length=255)
    fault = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "host"],
                condition=models.Q(ended_at=None),
                name="certificate_allowed_once",
            )
        ]

    def __str__(self) -> str:
        return self.host

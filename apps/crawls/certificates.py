"""The hosts of a topic whose pages are taken in spite of their certificates, and who allowed it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone

from apps.crawls.models import CertificatePermission
from apps.topics.models import Topic


def allowed_hosts(topic: Topic) -> set[str]:
    """The hosts that are allowed now."""
    rows = CertificatePermission.objects.filter(topic=topic, ended_at=None)
    return set(rows.values_list("host", flat=True))


def allow(topic: Topic, host: str, fault: str, by: User | None) -> bool:
    """Records the permission; False if the host is allowed already."""
    _, is_new = CertificatePermission.objects.get_or_create(
        topic=topic, host=host, ended_at=None, defaults={"fault": fault, "by": by}
    )
    return is_new


def end_permission(topic: Topic, host: str, by: User | None) -> bool:
    """Ends the permission, which stays on record; False if there is none."""
    rows = CertificatePermission.objects.filter(topic=topic, host=host, ended_at=None)
    return bool(rows.update(ended_at=timezone.now(), ended_by=by))

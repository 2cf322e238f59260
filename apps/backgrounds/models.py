"""Backgrounds and their versions."""

from __future__ import annotations

from django.conf import settings
from django.contrib.contenttypes.fields import GenericRelation
from django.db import models

from apps.accounts.models import Share
from apps.jobs.models import Deletable, Job


class Background(Deletable):
    """Texts by which words are weighed, from one source.

    `source` is the id of a source (`background_sources`), `options` what it is to take. Topics name
    a background and use its newest ready version.
    """

    forget_task = "apps.backgrounds.files.remove_files"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="backgrounds")
    name = models.CharField(max_length=100)
    source = models.CharField(max_length=20)
    options = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    shares = GenericRelation(Share, content_type_field="kind", object_id_field="key")

    class Meta:
        base_manager_name = "every"
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "name"],
                condition=models.Q(deleted_at=None),
                name="background_name_once_an_owner",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shared(self) -> bool:
        """Whether anybody but the owner may use it."""
        return bool(self.shares.all())

    @property
    def newest(self) -> BackgroundVersion | None:
        """The version requested last, ready or not."""
        return self.versions.first()

    @property
    def ready(self) -> BackgroundVersion | None:
        """The newest version that can be used."""
        return self.versions.filter(job_state=Job.State.DONE).first()


class BackgroundVersion(Job):
    """One building of a background; the job is to build it.

    `done` of `wanted` texts are read so far. When it is ready, `made_of` says in words what it was
    made of, `texts`, `words` and `directions` are its size, `digest` names its content and `file`
    is its file in the backgrounds' folder, empty once a newer version has replaced it.
    """

    job_task = "apps.background_sources.tasks.build"

    background = models.ForeignKey(Background, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    wanted = models.PositiveIntegerField(default=0)
    made_of = models.CharField(max_length=300, blank=True)
    texts = models.PositiveIntegerField(default=0)
    words = models.PositiveIntegerField(default=0)
    directions = models.PositiveIntegerField(default=0)
    left_out = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=8, blank=True)
    digest = models.CharField(max_length=40, blank=True, db_index=True)
    file = models.CharField(max_length=80, blank=True)
    seconds = models.FloatField(default=0)
    built_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["background", "number"], name="version_once")
        ]

    def __str__(self) -> str:
        return f"{self.background.name}, version {self.number}"

    @property
    def share_done(self) -> float:
        """The share of the texts that are read, 0–1."""
        return min(1.0, self.done / self.wanted) if self.wanted else 0.0

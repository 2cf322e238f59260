"""Experiments: topics crawled by several crawlers on one web, a cell for each pair."""

from __future__ import annotations

from django.conf import settings
from django.contrib.contenttypes.fields import GenericRelation
from django.db import models

from apps.accounts.models import Share
from apps.crawls.models import Crawl
from apps.jobs.models import Deletable, Job
from apps.topics.models import Topic, TopicSnapshot
from apps.webs.models import Web


class Experiment(Deletable):
    """A design, with the state and the results of its run.

    `design` is a `design.schema.Design` as JSON; its topics and crawlers are rows of their own. An
    experiment that is being prepared starts once its topics' examples are fetched and
    its topics frozen (`Preparation`). `form_token` is that of the form it was made with, empty
    without one: a form sent twice makes one experiment.
    `expected` has the digests of the cells of the recipe it was made from, by the cell's key.
    """

    forget_task = "apps.experiments.services.forget_results"

    class State(models.TextChoices):
        DRAFT = "draft"
        PREPARING = "preparing"
        RUNNING = "running"
        PAUSED = "paused"
        STOPPED = "stopped"
        FINISHED = "finished"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="experiments")
    name = models.CharField(max_length=120)
    note = models.TextField(blank=True)
    web = models.ForeignKey(Web, models.PROTECT, related_name="experiments")
    design = models.JSONField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.DRAFT)
    expected = models.JSONField(default=dict)
    is_leaderboard = models.BooleanField(default=False)
    form_token = models.CharField(max_length=40, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    shares = GenericRelation(Share, content_type_field="kind", object_id_field="key")

    class Meta:
        base_manager_name = "every"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "form_token"],
                condition=~models.Q(form_token="") & models.Q(deleted_at=None),
                name="experiment_once_a_form",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shared(self) -> bool:
        """Whether anybody but the owner may see it."""
        return bool(self.shares.all())


class ExperimentTopic(models.Model):
    """A topic of an experiment, as it was when it was added.

    `inputs` are its frozen inputs for the needs of all crawlers, whose digest is `prepared_for`. A
    topic that is deleted leaves its
    results, under its `name`.
    """

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="topics")
    topic = models.ForeignKey(Topic, models.SET_NULL, null=True, related_name="+")
    snapshot = models.ForeignKey(TopicSnapshot, models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    targets = models.PositiveIntegerField(default=0)
    judged_by = models.CharField(max_length=20, blank=True)
    inputs = models.JSONField(default=dict)
    prepared_for = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["experiment", "name"], name="topic_name_once_an_experiment"
            )
        ]

    def __str__(self) -> str:
        return self.name


class ExperimentCrawler(models.Model):
    """A crawler of an experiment: a strategy with all its parameters; `label` distinguishes it from
    the others."""

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="crawlers")
    position = models.PositiveIntegerField()
    strategy = models.CharField(max_length=60)
    parameters = models.JSONField(default=dict)
    parent_policy = models.CharField(max_length=40, default="max")
    label = models.CharField(max_length=200)

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.label


class Cell(Job):
    """One crawl of a topic by a crawler.

    A cell without a job waits until the experiment queues it. `starts` counts how often a worker
    began it without handing it back. Its result is a file (`cells.result`), `digest` that of its
    numbers, `checkpoint` the file it continues from. `metrics` are its last values; `reason` is why
    the crawl ended, or the code of what made it fail. `crawl` is the crawl it was opened as.
    """

    job_task = "apps.experiments.cells.tasks.run_cell"

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="cells")
    topic = models.ForeignKey(ExperimentTopic, models.CASCADE, related_name="cells")
    crawler = models.ForeignKey(ExperimentCrawler, models.CASCADE, related_name="cells")
    repetition = models.PositiveIntegerField(default=1)
    random_seed = models.BigIntegerField()
    starts = models.PositiveIntegerField(default=0)
    checkpoint = models.CharField(max_length=200, blank=True)
    pages = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)
    metrics = models.JSONField(default=dict)
    reason = models.CharField(max_length=40, blank=True)
    seconds = models.FloatField(default=0)
    cpu_seconds = models.FloatField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    crawl = models.ForeignKey(Crawl, models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["topic__position", "repetition", "crawler__position"]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "crawler", "repetition"], name="cell_once_an_experiment"
            )
        ]

    def __str__(self) -> str:
        return f"{self.topic} × {self.crawler}"


class Preparation(Job):
    """Freezing the topics of an experiment for its crawlers: `prepared` of `topics` so far.

    `by` is the person who started the experiment or added to it.
    """

    job_task = "apps.experiments.preparation.prepare"

    experiment = models.OneToOneField(Experiment, models.CASCADE, related_name="preparation")
    topics = models.PositiveIntegerField(default=0)
    prepared = models.PositiveIntegerField(default=0)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"topics of {self.experiment}"


class PageStudy(Job):
    """Measurements over the pages of an experiment, for figures.

    `of` is the digest of the measured cells, `data` a `studies.study.Study` as JSON.
    """

    job_task = "apps.experiments.studies.tasks.measure_pages"

    experiment = models.OneToOneField(Experiment, models.CASCADE, related_name="page_study")
    of = models.CharField(max_length=64, blank=True)
    data = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"pages of {self.experiment}"


class ExperimentEvent(models.Model):
    """An event of an experiment; `cells` is the number of cells that had ended by then."""

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="events")
    at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=20)
    cells = models.PositiveIntegerField(default=0)
    words = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]

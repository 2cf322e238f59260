"""Drafts of topics, their candidate pages, and the journal of queries."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job
from apps.topics.models import Topic
from apps.webs.models import Web


class Draft(Job):
    """The form of a new topic, as a person has typed it so far; `topic` is created from it at the
    start.

    `addresses` is the text of the list as it was typed. `removed` are kin that are not meant,
    `rather_not` words that the person added to those of the sentence, `phrases`
    further queries for search engines. `near` has words of like use for each of the words, by the
    word vectors that are named, or `vectors_problem` is why there are none; `translations` those of
    words and sentence into the draft's other languages, by the named dictionaries of
    `translated_by`, or `dictionaries_problem`. `web` is the recorded
    web the pages are read from, None for the live Web. The job gathers candidate pages; with
    `starts_itself` the crawl begins at the best of them after that. `form_token` names the form
    that it was first sent by, so that a form sent twice at once is one draft.
    """

    job_task = "apps.begin.tasks.gather"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts")
    sentence = models.TextField(blank=True)
    words = models.JSONField(default=list, blank=True)
    addresses = models.TextField(blank=True)
    name = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=20, blank=True)
    removed = models.JSONField(default=list, blank=True)
    rather_not = models.JSONField(default=list, blank=True)
    phrases = models.JSONField(default=list, blank=True)
    near = models.JSONField(default=dict, blank=True)
    vectors_problem = models.TextField(blank=True)
    translations = models.JSONField(default=dict, blank=True)
    translated_by = models.JSONField(default=list, blank=True)
    dictionaries_problem = models.TextField(blank=True, default="")
    web = models.ForeignKey(Web, models.SET_NULL, null=True, blank=True, related_name="drafts")
    starts_itself = models.BooleanField(default=False, db_default=False)
    form_token = models.CharField(max_length=64, blank=True, default="", db_default="")
    topic = models.OneToOneField(
        Topic, models.SET_NULL, null=True, blank=True, related_name="draft"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "form_token"],
                condition=~models.Q(form_token=""),
                name="draft_once_a_form",
            )
        ]

    def __str__(self) -> str:
        return self.name or self.sentence[:80]

    @property
    def is_empty(self) -> bool:
        """Whether there is neither sentence nor word nor address."""
        return not (self.sentence.strip() or self.words or self.addresses.strip())


class CandidatePage(models.Model):
    """A page that may be meant. `source` is an id of the catalogue, `detail` how it got there.

    `body` is the page as it was fetched, compressed by zlib, which becomes an example of the topic.
    `terms` counts the page's words without stop words, `links` has (address, anchor) of its links.
    `turn` is its position in the list, None while it waits below. `expected` is whether the page
    was expected to be meant just before it was answered.
    """

    class FetchState(models.TextChoices):
        WAITING = "waiting"
        FETCHED = "fetched"
        FAILED = "failed"

    class GivenAnswer(models.TextChoices):
        NONE = ""
        YES = "yes"
        NO = "no"
        SKIPPED = "skipped"

    draft = models.ForeignKey(Draft, models.CASCADE, related_name="candidates")
    url = models.TextField()
    host = models.CharField(max_length=255)
    source = models.CharField(max_length=30)
    detail = models.CharField(max_length=300)
    web = models.ForeignKey(Web, models.CASCADE, null=True, blank=True, related_name="+")
    fetch = models.CharField(max_length=8, choices=FetchState.choices, default=FetchState.WAITING)
    failure = models.CharField(max_length=40, blank=True)
    final_url = models.TextField(blank=True)
    content_type = models.CharField(max_length=200, blank=True)
    body = models.BinaryField(default=b"")
    title = models.TextField(blank=True)
    text = models.TextField(blank=True)
    language = models.CharField(max_length=8, blank=True)
    terms = models.JSONField(default=dict, blank=True)
    links = models.JSONField(default=list, blank=True)
    turn = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=10, blank=True)
    answer = models.CharField(
        max_length=7, choices=GivenAnswer.choices, blank=True, default=GivenAnswer.NONE
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    expected = models.BooleanField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "url"], name="candidate_once_a_draft")
        ]

    def __str__(self) -> str:
        return self.url


class Query(models.Model):
    """A query that was sent for a draft: what was asked of which address, how many addresses were
    answered, or the problem as a sentence."""

    draft = models.ForeignKey(Draft, models.CASCADE, related_name="queries")
    source = models.CharField(max_length=30)
    asked = models.TextField()
    address = models.TextField()
    answers = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "queries"

    def __str__(self) -> str:
        return self.asked


class AdviserQuestion(models.Model):
    """A question sent to the adviser for a draft, with its proposals by part or the problem as a
    sentence. It is open until it has one of them."""

    draft = models.ForeignKey(Draft, models.CASCADE, related_name="adviser_questions")
    sent = models.TextField()
    host = models.CharField(max_length=255)
    proposals = models.JSONField(default=dict, blank=True)
    problem = models.TextField(blank=True)
    is_open = models.BooleanField(default=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.sent[:80]

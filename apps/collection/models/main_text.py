"""The main text of each page."""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.engine.parsing.opt_outs.catalogue import FORMS
from apps.engine.parsing.opt_outs.form import OptOutSign
from apps.main_text.article import Block, text_of, unpack

UNDETERMINED = "und"
"""The language of a page that was read and shows none (ISO 639-2)."""


class MainText(models.Model):
    """The main text of a page (`apps.main_text`), compressed.

    `languages` are pairs of code and share. `published` is the day that `published_source` names,
    of a month its first (`published_precision`). `words` counts those of the text. `signs` are the
    values of each `OptOutSign`, None until they have been looked for.
    """

    page_id = models.BigAutoField(primary_key=True)
    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+")
    blocks = models.BinaryField()
    title = models.TextField(default="", blank=True)
    author = models.TextField(default="", blank=True)
    languages = models.JSONField(default=list)
    published = models.DateField(null=True)
    published_source = models.CharField(max_length=8, default="", blank=True)
    published_precision = models.CharField(max_length=5, default="", blank=True)
    words = models.PositiveIntegerField(default=0)
    signs = models.JSONField(null=True)

    @property
    def opt_outs(self) -> tuple[OptOutSign, ...]:
        """The signs of opt-outs in the page and its headers."""
        return tuple(OptOutSign(*sign) for sign in self.signs or ())

    @property
    def reserved(self) -> str:
        """The signs that reserve something, as `noai: robots: noai; TDMRep: …`, or empty."""
        return "; ".join(f"{FORMS[s.form].title}: {s.text}" for s in self.opt_outs if s.reserves)

    @property
    def language(self) -> str:
        """The code of the main language, or empty."""
        return str(self.languages[0][0]) if self.languages else ""

    @property
    def published_text(self) -> str:
        """`2026-10-14`, or `2026-10` where no day is named; empty without a date."""
        if self.published is None:
            return ""
        text = self.published.isoformat()
        return text[:7] if self.published_precision == "month" else text

    @property
    def article(self) -> tuple[Block, ...]:
        """The text by paragraphs, headings, items and rows."""
        return unpack(bytes(self.blocks))

    @property
    def text(self) -> str:
        """The text as written, paragraphs with an empty line between them."""
        return text_of(self.article)

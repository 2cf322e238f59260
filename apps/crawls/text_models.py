"""What crawls keep of their pages' texts, to score the links anew when labels teach something."""

from __future__ import annotations

from django.db import models


class KeptText(models.Model):
    """The words of one page as token ids and the places of its links, zlib-compressed.

    Written with the page, in its transaction; only for strategies that labels change. The token
    ids are those of the crawl's vocabulary, which only grows (`engine.crawl.kept_text`).
    """

    crawl = models.ForeignKey("crawls.Crawl", models.CASCADE, related_name="texts")
    seq = models.PositiveIntegerField()
    text = models.BinaryField()

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "seq"], name="text_once_a_page")
        ]

    def __str__(self) -> str:
        return f"text of page {self.seq}"

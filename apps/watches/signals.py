"""What the apps above are asked; it is listened to in every process."""

from __future__ import annotations

from django.dispatch import Signal

matches_asked = Signal()
"""Sent with a `visit` that has news, and `goes_on`, which is called from time to time and says
whether the answer is still wanted. Answers are iterables of `search_news.SearchMatches`."""

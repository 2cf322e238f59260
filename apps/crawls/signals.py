"""What the apps above are notified of; it is listened to in every process."""

from __future__ import annotations

from django.dispatch import Signal

topicality_changed = Signal()
"""Sent with a `crawl`, in the transaction that writes the topicality of its pages at its end."""

web_recorded = Signal()
"""Sent with the `recording` and its `web`, in the transaction that stores the web. What a receiver
raises undoes both; a CrawlRefused becomes the recording's problem."""

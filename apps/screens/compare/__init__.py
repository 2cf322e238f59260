"""Crawls beside each other: curves, figures, settings and pages, and what may be said of them."""

"""Crawls beside each other: curves, figures, settings, pages, and what follows."""

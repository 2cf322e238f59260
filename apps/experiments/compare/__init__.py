"""Crawls held against each other: curves, figures, parameters, pages, and what may be claimed."""

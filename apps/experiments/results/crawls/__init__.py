"""Comparing crawls: curves, figures, parameters, pages, and what may be concluded."""

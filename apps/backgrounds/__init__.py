"""Backgrounds: unlabelled texts by which words are weighed, built once and used by many topics."""

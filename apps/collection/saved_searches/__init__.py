"""Searches that people keep by name and have watched."""

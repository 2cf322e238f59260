"""Repeat a paper: its protocols on a web, each by one press."""

"""Experiments: the papers' tables run again on the same kind of data."""

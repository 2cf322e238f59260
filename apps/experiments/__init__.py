"""Experiments: the papers' tables, reproduced on the same kind of data."""

"""Experiments and their figures."""

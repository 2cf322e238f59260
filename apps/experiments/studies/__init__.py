"""Measurements over an experiment's pages, for the figures that need their text."""

"""Months of a watch by several policies, saved and reported in `docs/watching.md`."""

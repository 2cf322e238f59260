"""Agents and workers of all machines, for administrators."""

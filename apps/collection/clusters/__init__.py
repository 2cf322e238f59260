"""Clusters of a topic's pages, made in the background: what is there, and what is missing."""

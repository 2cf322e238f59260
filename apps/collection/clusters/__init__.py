"""Clusters of a topic's pages, made in the background: its contents and its gaps."""

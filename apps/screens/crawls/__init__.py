"""The list of crawls."""

"""The list of experiments."""

"""Months of a watch: begun, followed, and their figures policy by policy."""

"""The catalogue: strategies, measures, and the names of all other options."""

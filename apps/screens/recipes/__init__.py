"""Recipes: taken away, run again, taken in."""

"""Recipes: downloading, running again, importing."""

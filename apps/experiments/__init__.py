"""Experiments: crawlers compared over topics, and the papers' claims tested by them."""

"""Polite fetching: robots.txt, turns at hosts, retries, rendering, and the lists of sites."""

"""One collected page."""

"""Topic directories: imported, browsed, and split into topics."""

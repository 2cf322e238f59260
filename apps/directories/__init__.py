"""Topic directories: imported, walked through, split into topics."""

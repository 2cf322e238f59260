"""What files of a topic's sites reserve, since when, and when they were read."""

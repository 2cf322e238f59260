"""Agreement between people's labels of a topic's pages, and the disagreements left to settle."""

"""What several people's labels of the same pages have in common, and what is left to settle."""

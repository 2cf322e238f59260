"""What several people's labels of a topic's pages agree on, and what is left to settle."""

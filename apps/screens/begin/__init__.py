"""Beginning a topic with a sentence."""

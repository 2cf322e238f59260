"""Topics: what an analyst describes, and the classifier made of it."""

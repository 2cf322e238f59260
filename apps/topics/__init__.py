"""Topics as analysts define them, and their classifiers."""

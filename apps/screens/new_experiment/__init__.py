"""The form that sets up an experiment."""

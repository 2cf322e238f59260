"""Agreement between the labels that several people gave the same pages, and the disagreements left
to settle."""

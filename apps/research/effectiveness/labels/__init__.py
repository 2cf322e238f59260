"""The value of labels, and topics of few examples."""

"""What labels are worth, and topics of few examples."""

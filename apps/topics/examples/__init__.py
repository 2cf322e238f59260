"""Example pages: fetched, drawn, gathered, labelled."""

"""What is measured over the pages that an experiment fetched, for the figures that need their text.
"""

"""The visits of a watch: when and what they ask for, and what they have seen."""

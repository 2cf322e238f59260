"""The dossier of a host."""

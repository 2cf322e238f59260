"""The help, generated from the catalogues."""

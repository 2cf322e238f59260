"""Help, written from the catalogues."""

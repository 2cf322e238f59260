"""Everything that the screens do, for programs: one file a resource."""

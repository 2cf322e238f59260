"""Getting pages: politely, through a guard, from the Web or from a record of it."""

"""The tests; a package, so that helpers can be imported by one name from everywhere."""

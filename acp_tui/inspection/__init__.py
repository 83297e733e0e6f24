"""What a client understands from a record: reading it, playing it, telling what is known then."""

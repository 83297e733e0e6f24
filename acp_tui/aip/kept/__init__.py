"""What lasts: intents, cursors, secrets."""

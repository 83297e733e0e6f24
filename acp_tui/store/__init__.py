"""What is known: entities by their keys, each session with its timeline, and who is told what changed."""

"""The pure half: no input, no output, no clock."""

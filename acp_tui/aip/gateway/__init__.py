"""The HTTP half: one door, `front.Gateway`."""

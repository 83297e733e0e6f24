"""What the screens to read in are made of: sheets of any length, and what can be done with what they show."""

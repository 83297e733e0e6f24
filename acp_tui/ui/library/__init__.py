"""What the library screen is made of: its list, its words, who is asked for it."""

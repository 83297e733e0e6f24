"""What the program costs, measured on real pseudo-terminals; never collected by pytest, never run in CI."""

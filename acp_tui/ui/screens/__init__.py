"""One module for each screen, and what several of them have in common."""

"""The reducer's parts, one module for each family of updates."""

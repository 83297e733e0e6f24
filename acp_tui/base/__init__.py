"""What needs nothing else of ours: folders, settings, files replaced whole, locks, processes, secrets taken
out, big content put aside.
"""

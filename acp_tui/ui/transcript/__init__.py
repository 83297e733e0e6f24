"""The conversation of one session on the screen: a virtual list of views, their heights, and what can be done
there: move, fold, search, select, copy.
"""

"""The terminal, and what stands between it and Textual: keys and answers come in, few bytes go out, and
nothing waits for it. Knows no agent, no session, no setting.
"""

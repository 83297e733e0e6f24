"""The screen: the app, its screens and widgets. It reads the store and asks the agent through one front."""

"""The kinds of figure, a module each."""

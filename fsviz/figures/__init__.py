"""Figures: panels, the kinds made of them, one style, and their export."""

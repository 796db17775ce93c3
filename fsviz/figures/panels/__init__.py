"""Parts of a figure: surface, heatmap, slice, marks, and what links them."""

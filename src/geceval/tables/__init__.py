"""Reports: typed tables with their notes, in all formats, and SVG."""

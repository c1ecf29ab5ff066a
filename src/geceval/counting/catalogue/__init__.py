"""Facts about metrics for readers: their settings, their needs, their signatures."""

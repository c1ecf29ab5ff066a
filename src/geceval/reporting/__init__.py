"""Report a run as an HTML page, and scores at thresholds of confidence."""

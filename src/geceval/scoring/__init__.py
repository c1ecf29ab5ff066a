"""Confidences of edits: scores at thresholds, calibration."""

"""M2 as other formats, and back."""

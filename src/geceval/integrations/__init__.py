"""geceval inside other people's frameworks: one thin file each, which imports its framework when it is used."""

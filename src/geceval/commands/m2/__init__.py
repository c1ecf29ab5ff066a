"""The actions of ``geceval m2``."""

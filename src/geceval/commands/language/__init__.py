"""The actions of ``geceval language``."""

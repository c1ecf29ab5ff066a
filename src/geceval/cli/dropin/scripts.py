"""Entry points of the installed scripts; each only names its command."""

from __future__ import annotations

from geceval.cli.main import dropin


def green() -> int:
    return dropin("green")


def sgreen() -> int:
    return dropin("sgreen")


def mgreen() -> int:
    return dropin("mgreen")


def gleu() -> int:
    return dropin("gleu")


def sgleu() -> int:
    return dropin("sgleu")


def mgleu() -> int:
    return dropin("mgleu")


def m2scorer() -> int:
    return dropin("m2scorer")


def errant_parallel() -> int:
    return dropin("errant_parallel")


def errant_m2() -> int:
    return dropin("errant_m2")


def errant_compare() -> int:
    return dropin("errant_compare")


def cherrant_compare() -> int:
    return dropin("cherrant_compare")

"""geceval: evaluate grammatical error correction.

>>> import geceval
>>> green = geceval.Green(n=4, beta=2.0, unit="word")
>>> score = green.corpus_score(["He go home ."], ["He goes home ."], [["He goes home ."]])
>>> score.value
1.0
>>> score.signature
'GREEN|n:4|beta:2|unit:word|policy:best|refs:1|level:corpus|v:0.2.0'
"""

from functools import cache


@cache
def _public_names() -> dict[str, tuple[str, str, bool]]:
    """Return ``(module, name in that module, is a module)`` for each public name.

    The stub beside this file lists the names in the order of ``__all__``, which leaves out modules.
    """
    # The loader reads the file because importing pathlib takes milliseconds.
    stub = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()
    names: dict[str, tuple[str, str, bool]] = {}
    for words in map(str.split, stub.splitlines()):
        if words[:1] == ["from"]:  # from MODULE import NAME as PUBLIC
            names[words[5]] = words[1], words[3], False
        elif words[1:2] == ["="]:  # PUBLIC = _NAME, for a module
            names[words[0]] = *names.pop(words[2])[:2], True
    return names


def __getattr__(name: str) -> object:
    names = _public_names()
    if name == "__all__":
        return [public for public, (_, _, is_module) in names.items() if not is_module]
    if name not in names:
        raise AttributeError(f"module 'geceval' has no attribute {name!r}")
    module, own_name, _ = names[name]
    value = getattr(__import__(module, fromlist=[own_name]), own_name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_public_names())

"""What the tasks beside it name as ``!function``."""

from typing import Any

from geceval.base.errors import UsageError
from geceval.integrations.lm_eval import aggregation, from_gold, from_texts, process_results

texts = process_results(["gleu", "green"])
edits = process_results(["errant", "maxmatch"], gold="gold")

gleu, green, errant, maxmatch = map(aggregation, ("gleu", "green", "errant", "maxmatch"))


def _of(name: str, metadata: dict[str, Any]) -> Any:
    if name not in metadata:
        what = "its folder" if name == "jfleg" else "its M2 file"
        hint = f'--metadata \'{{"{name}": "…"}}\''
        raise UsageError(f"say where {name} is: {what} is not shipped with geceval", hint=hint)
    return metadata[name]


def jfleg(**metadata: Any) -> Any:
    return from_texts(_of("jfleg", metadata))


def conll14(**metadata: Any) -> Any:
    return from_gold(_of("conll14", metadata))


def bea_dev(**metadata: Any) -> Any:
    return from_gold(_of("bea_dev", metadata))

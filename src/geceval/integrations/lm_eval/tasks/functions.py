"""What the tasks beside it name as ``!function``."""

from collections.abc import Callable
from typing import Any

from geceval.base.errors import UsageError
from geceval.integrations.lm_eval import aggregation, from_gold, from_texts, process_results

texts = process_results(["gleu", "green"])
edits = process_results(["errant", "maxmatch"], gold="gold")

gleu, green, errant, maxmatch = map(aggregation, ("gleu", "green", "errant", "maxmatch"))


def _data_set(read: Callable[[str], Any], name: str, what: str) -> Callable[..., Any]:
    def made(**metadata: Any) -> Any:
        if name not in metadata:
            hint = f'--metadata \'{{"{name}": "…"}}\''
            raise UsageError(f"say where {name} is: {what} is not shipped with geceval", hint=hint)
        return read(metadata[name])

    return made


jfleg = _data_set(from_texts, "jfleg", "its folder")
conll14 = _data_set(from_gold, "conll14", "its M2 file")
bea_dev = _data_set(from_gold, "bea_dev", "its M2 file")

"""Functions that the tasks in this folder refer to by ``!function``."""

from collections.abc import Callable
from typing import Any

from geceval.base.errors import UsageError
from geceval.integrations.lm_eval import aggregation, from_gold, from_texts, process_results, standard_error

texts = process_results(["gleu", "green"], stderr=True)
edits = process_results(["errant", "maxmatch"], gold="gold", stderr=True)

METRICS = ("gleu", "green", "errant", "maxmatch")
gleu, green, errant, maxmatch = map(aggregation, METRICS)
gleu_stderr, green_stderr, errant_stderr, maxmatch_stderr = map(standard_error, METRICS)


def _data_set(read: Callable[[str], Any], name: str, what: str) -> Callable[..., Any]:
    def load(**metadata: Any) -> Any:
        if name not in metadata:
            hint = f'use --metadata \'{{"{name}": "…"}}\''
            raise UsageError(f"the path of {name} is required: {what} is not part of geceval", hint=hint)
        return read(metadata[name])

    return load


jfleg = _data_set(from_texts, "jfleg", "its folder")
conll14 = _data_set(from_gold, "conll14", "its M2 file")
bea_dev = _data_set(from_gold, "bea_dev", "its M2 file")

"""Pretrained networks of transformers and torch (extra ``geceval[neural]``).

A model is loaded once per process, and inputs of similar length share a batch. ReferenceFree is the base class of the
neural metrics that compare a correction with its source only.
"""

from __future__ import annotations

import hashlib
import logging
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from geceval.base.errors import InputError, MissingExtraError, UsageError, install_command
from geceval.base.hints import Hint
from geceval.counting.metric import Metric, P
from geceval.counting.observations import SignatureInputs
from geceval.counting.settings import Bounds, setting
from geceval.text.files import is_folder

T = TypeVar("T")

Pieces: TypeAlias = tuple[int, ...]
Precision: TypeAlias = Literal["float32", "bfloat16"]


class NetworkInput(NamedTuple):
    """Input of a network for a text or a pair of texts.

    ``sides`` contains the side that each piece of a pair belongs to. Equal inputs have equal values, which are computed
    once.
    """

    pieces: Pieces
    sides: Pieces = ()


#: Inputs of texts, and which of the texts [S] were cut.
Inputs: TypeAlias = tuple[list[NetworkInput], NDArray[np.bool_]]


class Pretrained(ABC, Generic[T]):
    """Tokenizer and network that compute a value for each input.

    ``kind`` is the network's class in transformers. The value of a distinct input is computed once, as long as it is
    remembered.

    Args:
        model: Name known to transformers, or a folder, which is read without network access.
        length: Maximum number of pieces, special ones included. Longer texts are cut as their tokenizer does, of a pair
            the longer text first. None: the number of the model's positions.
        device: ``auto`` (a GPU if one is available), ``cpu``, ``cuda``, …
        batch: Number of inputs computed at a time.
        precision: Number format of the weights.

    Raises:
        UsageError: If a setting is not supported by the model or the machine.
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the model cannot be loaded, or if it lacks weights that are not ``needless``.
    """

    kind: ClassVar[str] = "AutoModel"
    #: Beginnings of the names of weights that may be missing, because their output is not used.
    needless: ClassVar[tuple[str, ...]] = ("pooler.",)
    #: Total ``_extent`` of remembered values: more than the values of the sources of a part.
    remembered: ClassVar[int] = 1 << 16
    #: Number of pieces, padding included, that a CPU computes at a time. More exceed its caches and are slower.
    at_a_time: ClassVar[int] = 1 << 10

    def __init__(
        self,
        model: str,
        length: int | None = None,
        device: str = "auto",
        batch: int = 64,
        precision: Precision = "float32",
    ) -> None:
        self.model, self.batch = model, batch
        self._torch, transformers = import_libraries("a pretrained model")
        self.device = _device(self._torch, device)
        dtype = getattr(self._torch, precision)
        self._release = int(transformers.__version__.split(".")[0])
        # Release 5 renamed the argument.
        number_format = {"dtype" if self._release >= 5 else "torch_dtype": dtype}
        self._tokenizer, self._network, self._drawn = _load(transformers, model, self.kind, number_format)
        missing = sorted(name for name in self._drawn if not name.startswith(self.needless))
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            message = f"the model {model!r} is not of the required kind: it lacks the weights {missing[0]}{more}"
            raise InputError(message)
        self._network.eval().to(device=self.device, dtype=dtype)
        self._fuse()
        self.length = self._check(length)
        self._known: OrderedDict[NetworkInput, T] = OrderedDict()
        self._extents = 0

    def _fuse(self) -> None:
        """Replace GPT-2's approximation of GELU, eight operations, by a fused one."""
        for module in list(self._network.modules()):
            for name, child in module.named_children():
                if type(child).__name__ == "NewGELUActivation":
                    setattr(module, name, self._torch.nn.GELU(approximate="tanh"))

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that identify the weights and the vocabulary."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self._network.state_dict().items()):
            if name not in self._drawn:  # these differ between runs
                digest.update(name.encode())
                flat = tensor.detach().cpu().contiguous().reshape(-1)
                digest.update(flat.view(self._torch.uint8).numpy().tobytes())
        digest.update(repr(sorted(self._tokenizer.get_vocab().items())).encode())
        return digest.hexdigest()[:8]

    @property
    def signed(self) -> str:
        """The model's name and fingerprint, for signatures.

        Two folders of one name may contain different weights.
        """
        return f"{Path(self.model).name}@{self.fingerprint}"

    @cached_property
    def _longest(self) -> int:
        """The tokenizer's limit or, if it has none, the number of the model's positions."""
        limit = int(self._tokenizer.model_max_length)
        if limit < 1_000_000:
            return limit
        config = self._network.config
        positions = int(getattr(config, "max_position_embeddings", 512))
        # RoBERTa's positions begin after the padding index.
        return positions - (int(config.pad_token_id) + 1 if "roberta" in config.model_type else 0)

    def padded(self, rows: Sequence[Pieces]) -> Iterator[Any]:
        """Yield rows of numbers padded with 0, and the mask of the numbers.

        Both are tensors [B, T] on the device.
        """
        tensor, join = self._torch.tensor, self._torch.nn.utils.rnn.pad_sequence
        for values in (rows, [[1] * len(row) for row in rows]):
            yield join([tensor(row, dtype=self._torch.int64) for row in values], batch_first=True).to(self.device)

    def _check(self, length: int | None) -> int | None:
        """Return the maximum number of pieces of an input.

        Raises UsageError if the network does not support the length, or the metric the network.
        """
        if length is not None and length > self._longest:
            raise UsageError(f"length is {length}; {self.model} supports at most {self._longest} pieces")
        return self._longest if length is None else length

    def inputs(self, *sides: Sequence[str]) -> Inputs:
        """Return the inputs of texts, and which of them [S] were cut at ``length``.

        Args:
            *sides: The texts, or the texts of both sides of the pairs.
        """
        inputs = self._tokenised(sides, truncation="longest_first", max_length=self.length)
        full = [index for index, item in enumerate(inputs) if len(item.pieces) == self.length]
        uncut = self._tokenised([[side[index] for index in full] for side in sides])
        cut = np.zeros(len(inputs), dtype=bool)
        cut[full] = [len(item.pieces) > len(inputs[index].pieces) for index, item in zip(full, uncut, strict=True)]
        return inputs, cut

    def _tokenised(self, sides: Sequence[Sequence[str]], **limits: Any) -> list[NetworkInput]:
        if not sides[0]:
            return []
        encoding = self._tokenizer(*map(list, sides), return_attention_mask=False, **limits)
        rows: list[Any] = [encoding["input_ids"]]
        if len(sides) == 2 and "token_type_ids" in encoding:
            rows.append(encoding["token_type_ids"])
        return [NetworkInput(*map(tuple, row)) for row in zip(*rows, strict=True)]

    def values(self, inputs: Iterable[NetworkInput]) -> dict[NetworkInput, T]:
        """Return the value of each distinct input."""
        distinct = list(dict.fromkeys(inputs))
        values = {item: self._known[item] for item in distinct if item in self._known}
        for item in values:
            self._known.move_to_end(item)
        for batch in self._batches([item for item in distinct if item not in values]):
            with self._torch.inference_mode():
                computed = dict(zip(batch, self._computed(batch), strict=True))
            values |= computed
            self._known |= computed
            self._extents += sum(map(self._extent, computed.values()))
            while self._extents > self.remembered:
                self._extents -= self._extent(self._known.popitem(last=False)[1])
        return values

    def _batches(self, inputs: list[NetworkInput]) -> Iterator[list[NetworkInput]]:
        """Yield batches of inputs of similar length, which contain little padding."""
        inputs.sort(key=lambda item: (len(item.pieces), item), reverse=True)
        while inputs:
            size = self._size(len(inputs[0].pieces))
            batch, inputs = inputs[:size], inputs[size:]
            yield batch

    def _extent(self, value: T) -> int:
        """Return the size of a remembered value, in the unit of ``remembered``."""
        return 1

    def _size(self, length: int) -> int:
        """Return the number of inputs, of ``length`` pieces each, computed at a time."""
        return min(self.batch, max(1, self.at_a_time // length)) if self.device.type == "cpu" else self.batch

    @abstractmethod
    def _computed(self, batch: Sequence[NetworkInput]) -> Iterable[T]:
        """Return the values of a batch, in order."""

    def _arguments(self, batch: Sequence[NetworkInput]) -> dict[str, Any]:
        """Return the arguments with which the network is called for a batch."""
        ids, mask = self.padded([item.pieces for item in batch])
        arguments = {"input_ids": ids, "attention_mask": mask}
        if batch[0].sides:
            arguments["token_type_ids"], _ = self.padded([item.sides for item in batch])
        return arguments


#: Loaded objects, shared by the metrics of this process: the ones in use, and the last few.
_LOADED: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
_LAST: deque[Any] = deque(maxlen=4)


def load_shared(make: Callable[..., T], *settings: Hashable) -> T:
    """Return ``make(*settings)``, loaded once while the result is in use.

    Args:
        make: Class or function that loads a model.
        *settings: Its arguments.
    """
    key = (make, *settings)
    loaded: T | None = _LOADED.get(key)
    if loaded is None:
        loaded = _LOADED[key] = make(*settings)
        _LAST.append(loaded)
    return loaded


def import_libraries(purpose: str, alternative: Hint | None = None) -> tuple[Any, Any]:
    """Return the modules torch and transformers; transformers then logs errors only.

    Args:
        purpose: Subject of the error message: what needs the modules.
        alternative: End of its hint.

    Raises:
        MissingExtraError: If one of them is not installed.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        message = f"{purpose} needs torch and transformers ({error})"
        install = install_command("neural")
        hint = install if alternative is None else Hint(install, alternative)
        raise MissingExtraError(message, hint=hint) from None
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    return torch, transformers


def _device(torch: Any, name: str) -> Any:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise UsageError(f"device {name!r} is not available: {_first_line(error)}") from None
    return device


def _load(transformers: Any, model: str, kind: str, number_format: dict[str, Any]) -> tuple[Any, Any, frozenset[str]]:
    """Return tokenizer, network, and the names of weights initialised at random.

    Files that are not in a folder or an earlier download are downloaded. Weights that the model does not contain are
    initialised at random.

    Raises InputError with a message of one line.
    """
    for local in (True,) if is_folder(model) else (True, False):
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(model, local_files_only=local)
            network, info = getattr(transformers, kind).from_pretrained(
                model, local_files_only=local, output_loading_info=True, **number_format
            )
            return tokenizer, network, frozenset(info["missing_keys"])
        except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError) as error:
            reason = error  # transformers raises any of these for other names, folders and files
    hint = None if is_folder(model) else "give the folder of a model, or a name known to transformers"
    raise InputError(f"the model {model!r} cannot be loaded: {_first_line(reason)}", hint=hint)


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


@dataclass(frozen=True)
class ReferenceFree(Metric[P]):
    """Metric of pretrained networks, without references.

    The column ``cut`` counts sentences that a network did not read to their end. ``device`` and ``batch`` do not change
    scores, but ``precision`` does.
    """

    uses_references: ClassVar[bool] = False
    #: Large enough for batches of equally long sentences, small enough for the progress bar.
    block: ClassVar[int] = 1 << 10

    device: str = setting("auto", "unsigned", meaning="device for computation: auto, cpu, cuda, …")
    batch: int = setting(64, "unsigned", Bounds(1), meaning="number of texts per batch")
    precision: Precision = setting("float32", meaning="number format of the model's weights")

    @property
    @abstractmethod
    def networks(self) -> Any:
        """The networks, which are loaded at the first access.

        Raises the errors of pretrained.Pretrained.
        """

    def resources(self) -> Any:
        """Return the networks, so that a run signs and counts with the same weights."""
        return self.networks

    @property
    @abstractmethod
    def signed_networks(self) -> dict[str, Any]:
        """The entries of the signature that describe the networks.

        They replace the settings of the same names: name and fingerprint of each network, and ``length``, the maximum
        number of pieces. None: the signature has no entry of this name.
        """

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        networks = self.signed_networks
        entries = networks | {name: value for name, value in super().signed(inputs).items() if name not in networks}
        return {name: value for name, value in entries.items() if value is not None}

    def sentences(self, sums: Mapping[str, float]) -> float:
        """Return the number of sentences in the sums of the columns."""
        return sums["sentences"]

    @property
    def final_remarks(self) -> Callable[[Mapping[str, float]], Sequence[str]]:
        return self._remarks_on_cuts

    def _remarks_on_cuts(self, sums: Mapping[str, float]) -> Sequence[str]:
        if not sums["cut"]:
            return ()
        cut, total, length = sums["cut"], self.sentences(sums), self.signed_networks["length"]
        limit = f"a text or pair of more than {length} pieces; the rest of it was ignored"
        return [f"{self.name}: {cut:,.0f} of {total:,.0f} sentences have {limit}"]

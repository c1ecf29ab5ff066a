"""Language models of transformers in a folder (extra ``geceval[neural]``)."""

from __future__ import annotations

import hashlib
import threading
from functools import cached_property
from pathlib import Path
from typing import Any

from geceval.base.errors import InputError
from geceval.metrics.judging.judge import Answer, Judge, JudgeError, Request, shorten
from geceval.metrics.neural.pretrained import import_libraries


class Local(Judge):
    """Causal language model in a folder, which is read without network access.

    It answers one request at a time and does not enforce the form of answers. With temperature 0 or none, each piece is
    the most probable one; otherwise pieces are sampled with the seed of the request.

    Args:
        folder: Folder of the model.
        device: ``auto`` (a GPU if one is available), ``cpu``, ``cuda``, …

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        InputError: If the folder does not contain a causal language model.
    """

    def __init__(self, folder: str, device: str = "auto") -> None:
        torch, transformers = import_libraries("a model in a folder", "; a model on a server: --judge server=URL")
        self.folder, self._torch = folder, torch
        self._device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            models = transformers.AutoModelForCausalLM
            network = models.from_pretrained(folder, local_files_only=True, torch_dtype="auto")
            self._network = network.eval().to(self._device)
        except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError, AssertionError) as error:
            raise InputError(f"the language model cannot be loaded: {shorten(str(error), 200)}", path=folder) from None
        self._lock = threading.Lock()

    @cached_property
    def name(self) -> str:
        """The folder's name, and a fingerprint of weights, vocabulary and chat template."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self._network.state_dict().items()):
            digest.update(f"{name} {tensor.dtype}".encode())
            flat = tensor.detach().cpu().contiguous().reshape(-1)
            digest.update(flat.view(self._torch.uint8).numpy().tobytes())
        digest.update(repr(sorted(self._tokenizer.get_vocab().items())).encode())
        digest.update(repr(self._tokenizer.chat_template).encode())
        return f"{Path(self.folder).resolve().name}@{digest.hexdigest()[:8]}"

    def _pieces(self, request: Request) -> Any:
        if self._tokenizer.chat_template:
            messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}]
            text = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
            return self._tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
        return self._tokenizer(f"{request.system}\n\n{request.user}\n\n", return_tensors="pt")["input_ids"]

    def answer(self, request: Request) -> Answer:
        with self._lock, self._torch.inference_mode():
            pieces = self._pieces(request).to(self._device)
            length = int(pieces.shape[1])
            limit = getattr(self._network.config, "max_position_embeddings", None)
            if limit is not None and length + request.max_tokens > limit:
                raise JudgeError(
                    f"{self.folder} has {limit} positions, but the request has {length} pieces and the answer up to "
                    f"{request.max_tokens}",
                    hint="reduce max_tokens, or the number of corrections in a request (most)",
                )
            padding = (self._tokenizer.pad_token_id, self._tokenizer.eos_token_id, 0)
            sampled = {"do_sample": True, "temperature": request.temperature, "top_k": 0, "top_p": 1.0}
            greedy = {"do_sample": False, "temperature": None, "top_k": None, "top_p": None}
            self._torch.manual_seed(request.seed)
            generated = self._network.generate(
                input_ids=pieces,
                attention_mask=self._torch.ones_like(pieces),
                max_new_tokens=request.max_tokens,
                pad_token_id=next(piece for piece in padding if piece is not None),
                **(sampled if request.temperature else greedy),
            )[0, length:]
        text = self._tokenizer.decode(generated, skip_special_tokens=True)
        return Answer(text, length, len(generated))

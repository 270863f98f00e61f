"""A Hugging Face model in this process with the interface of a server: it takes request bodies and returns replies.

So a local run has the same journal, statuses and accounting as any other. Nothing is cut: a prompt that does not fit
into the model's window with its answer is an overflow.
"""

import asyncio
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from zs_bench.errors import UnusableInput
from zs_bench.extras import from_extra
from zs_bench.problems import short
from zs_lab.run.replies import Reply


class LocalModel:
    """A model (a folder, or a name on the Hub) and its tokenizer, loaded; one prompt is answered at a time.

    Raises:
        MissingExtra: when transformers or torch are not installed.
        UnusableInput: when there is no such model, or it cannot be loaded.
    """

    host: str | None = None
    workers = 1

    def __init__(self, name: str) -> None:
        with from_extra("local"):
            import torch  # noqa: PLC0415  (takes seconds, and is of an extra)
            import transformers  # noqa: PLC0415
        self._name, self._torch, self._transformers = name, torch, transformers
        self.client = f"transformers {transformers.__version__}, torch {torch.__version__}"
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(name)
            model = transformers.AutoModelForCausalLM.from_pretrained(name, dtype="auto")
        except Exception as error:  # the library raises errors of many kinds
            why = short(str(error).strip().partition("\n")[0] or type(error).__name__, 200)
            here = "holds no model that transformers can load"
            what = here if Path(name).exists() else "is neither a folder here nor a model that could be fetched"
            raise UnusableInput(f"--local {short(name)!r} {what} ({why})") from error
        self._model = model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
        self._window = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        ends, pad = self._model.generation_config.eos_token_id, self._tokenizer.pad_token_id
        self._ends = ends if isinstance(ends, list) else [] if ends is None else [ends]
        self._pad = pad if pad is not None else next(iter(self._ends), None)
        self._worker = ThreadPoolExecutor(max_workers=1)
        self._closed = threading.Event()

    async def model_entry(self, _model: str) -> dict[str, Any]:
        """Return facts about the model, for provenance."""
        model, has_template = self._model, self._tokenizer.chat_template is not None
        facts = {"id": self._name, "window": self._window, "parameters": model.num_parameters()}
        return {**facts, "dtype": str(model.dtype), "device": str(model.device), "chat_template": has_template}

    async def send(self, body: Mapping[str, Any], _timeout: float) -> Reply:
        """Return the reply to a request for a chat completion; there is no time limit."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._answer, body)

    async def aclose(self) -> None:
        """End the answer that is being written."""
        self._closed.set()
        self._worker.shutdown(cancel_futures=True)

    def _answer(self, body: Mapping[str, Any]) -> Reply:
        try:
            return self._generate(body)
        except Exception as error:  # noqa: BLE001  (out of memory, for one: it ends this prompt, not the run)
            return Reply(400, {"error": {"message": f"{type(error).__name__}: {error}"}})

    def _generate(self, body: Mapping[str, Any]) -> Reply:
        messages, most, temperature = body["messages"], body["max_tokens"], body.get("temperature")
        if self._tokenizer.chat_template is None:
            text = "".join(message["content"] for message in messages)
            prompt = self._tokenizer(text, truncation=False, return_tensors="pt")
        else:
            begun = messages[-1]["role"] == "assistant"
            turns = {"add_generation_prompt": not begun, "continue_final_message": begun}
            form = {"truncation": False, "return_dict": True, "return_tensors": "pt"}
            prompt = self._tokenizer.apply_chat_template(list(messages), **turns, **form)
        size = prompt["input_ids"].shape[1]
        if self._window is not None and size + most > self._window:
            needed = f"the prompt has {size:,} tokens and its answer may take {most:,}"
            message = f"{needed}: more than the window of {self._window:,}"
            return Reply(400, {"error": {"message": message, "code": "context_length_exceeded"}})
        # The most likely token at temperature 0, samples above it; the model's own settings where none is given.
        sampling: dict[str, Any] = {} if temperature is None else {"do_sample": True, "temperature": temperature}
        if temperature is not None and temperature <= 0:
            sampling = {"do_sample": False, **dict.fromkeys(("temperature", "top_p", "top_k"))}
        if body.get("seed") is not None:
            self._transformers.set_seed(body["seed"])
        inputs = prompt.to(self._model.device)

        def stopped(ids: Any, _scores: Any) -> Any:  # for each row whether to stop: once the model is closed
            return self._torch.full((ids.shape[0],), self._closed.is_set(), device=ids.device, dtype=self._torch.bool)

        with self._torch.inference_mode():
            written = self._model.generate(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                max_new_tokens=most,
                stopping_criteria=[stopped],
                pad_token_id=self._pad,
                **sampling,
            )
        tokens = written[0, size:].tolist()
        reason = "stop" if tokens and tokens[-1] in self._ends else "length"
        answer = {"role": "assistant", "content": self._tokenizer.decode(tokens, skip_special_tokens=True)}
        usage = {"prompt_tokens": size, "completion_tokens": len(tokens)}
        choices = [{"message": answer, "finish_reason": reason}]
        return Reply(200, {"model": self._name, "choices": choices, "usage": usage})

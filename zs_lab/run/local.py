"""A Hugging Face model in this process with the interface of a server: it takes request bodies and returns replies.

So a local run has the same journal, statuses and accounting as any other. Requests in flight are answered as one batch,
in which shorter prompts are padded. Nothing is cut: a prompt that does not fit into the model's window with its answer
is an overflow.
"""

import asyncio
import math
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from zs_bench.errors import UnusableInput, from_extra
from zs_bench.problems import short
from zs_lab.run.replies import Reply


class LocalModel:
    """A model (a folder, or a name on the Hub) and its tokenizer, loaded; raises `MissingExtra` without transformers or
    torch, and `UnusableInput` when there is no such model, or it cannot be loaded.
    """

    host: str | None = None
    workers = 1

    def __init__(self, name: str) -> None:
        with from_extra("local"):
            import torch  # noqa: PLC0415  (takes seconds, and is of an extra)
            import transformers  # noqa: PLC0415
        # On an H200 PyTorch prefers cuDNN's attention, which is slow with each new length and not always repeatable.
        torch.backends.cuda.enable_cudnn_sdp(enabled=False)
        self._name, self._torch, self._transformers = name, torch, transformers
        self.client = f"transformers {transformers.__version__}, torch {torch.__version__}"
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(name, padding_side="left")
            model = transformers.AutoModelForCausalLM.from_pretrained(name, dtype="auto")
            self._model = model.to("cuda" if torch.cuda.is_available() else "cpu").eval()
        except Exception as error:  # the library raises errors of many kinds
            why = short(str(error).strip().partition("\n")[0] or type(error).__name__, 200)
            absent = "" if Path(name).exists() else "is no folder here and "
            raise UnusableInput(f"--local {short(name)!r} {absent}could not be loaded ({why})") from error
        self._window = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        ends = self._model.generation_config.eos_token_id
        self._ends = ends if isinstance(ends, list) else [] if ends is None else [ends]
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token_id = next(iter(self._ends), 0)
        self._waiting: dict[asyncio.Future[Reply], Mapping[str, Any]] = {}  # the requests, in their order
        self._answering: asyncio.Task[None] | None = None
        self._worker = ThreadPoolExecutor(max_workers=1)
        self._closed = threading.Event()

    async def model_entry(self, _model: str) -> dict[str, Any]:
        """Return facts about the model, for provenance."""
        model, has_template = self._model, self._tokenizer.chat_template is not None
        facts = {"id": self._name, "window": self._window, "parameters": model.num_parameters()}
        device = self._torch.cuda.get_device_name(model.device) if model.device.type == "cuda" else "cpu"
        return {**facts, "dtype": str(model.dtype), "device": device, "chat_template": has_template}

    async def send(self, body: Mapping[str, Any], _timeout: float) -> Reply:
        """Return the reply to a request for a chat completion; there is no time limit."""
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[reply] = body
        if self._answering is None or self._answering.done():
            self._answering = asyncio.ensure_future(self._answer_waiting())
        return await reply

    async def aclose(self) -> None:
        self._closed.set()
        if self._answering:
            self._answering.cancel()
        self._worker.shutdown(cancel_futures=True)

    async def _answer_waiting(self) -> None:
        while self._waiting:
            settings = _settings(next(iter(self._waiting.values())))
            batch = [reply for reply, body in self._waiting.items() if _settings(body) == settings]
            _, temperature, seed, _ = settings
            if seed is not None and temperature != 0:
                batch = batch[:1]  # so that a sample does not depend on the other prompts
            bodies = [self._waiting.pop(reply) for reply in batch]
            replies = await asyncio.get_running_loop().run_in_executor(self._worker, self._answer, bodies)
            for future, reply in zip(batch, replies, strict=True):
                if not future.done():
                    future.set_result(reply)
            await asyncio.sleep(0)  # whoever has a reply sends the next request first

    def _answer(self, bodies: Sequence[Mapping[str, Any]]) -> list[Reply]:
        """Return the replies to requests with the same settings; a batch that fails is answered in halves."""
        try:
            return self._generate(bodies)
        except Exception as error:  # noqa: BLE001  (out of memory, for one: it ends this prompt, not the run)
            failed = Reply(400, {"error": {"message": f"{type(error).__name__}: {error}"}})
        middle = len(bodies) // 2
        return [*self._answer(bodies[:middle]), *self._answer(bodies[middle:])] if middle else [failed]

    def _generate(self, bodies: Sequence[Mapping[str, Any]]) -> list[Reply]:
        prompts, most = [self._tokens(body["messages"]) for body in bodies], bodies[0]["max_tokens"]
        whole = [prompt for prompt in prompts if len(prompt) + most <= (self._window or math.inf)]
        written = iter(self._write(whole, bodies[0]) if whole else ())
        return [
            self._reply(prompt, next(written), bodies[0].get("stop") or ())
            if prompt in whole
            else self._overflow(len(prompt), most)
            for prompt in prompts
        ]

    def _tokens(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        if self._tokenizer.chat_template is None:
            text = "".join(message["content"] for message in messages)
            return list(self._tokenizer(text, truncation=False)["input_ids"])
        begun = messages[-1]["role"] == "assistant"
        turns = {"add_generation_prompt": not begun, "continue_final_message": begun}
        prompt = self._tokenizer.apply_chat_template(list(messages), **turns, truncation=False, return_dict=True)
        return list(prompt["input_ids"])

    def _overflow(self, size: int, most: int) -> Reply:
        needed = f"the prompt has {size:,} tokens and its answer may take {most:,}"
        message = f"{needed}: more than the window of {self._window:,}"
        return Reply(400, {"error": {"message": message, "code": "context_length_exceeded"}})

    def _write(self, prompts: Sequence[list[int]], body: Mapping[str, Any]) -> list[list[int]]:
        """Return the tokens written after each prompt, with the settings of that request."""
        # The most likely token at temperature 0, samples above it; the model's own settings where none is given.
        temperature = body.get("temperature")
        sampling: dict[str, Any] = {} if temperature is None else {"do_sample": True, "temperature": temperature}
        if temperature is not None and temperature <= 0:
            sampling = {"do_sample": False, **dict.fromkeys(("temperature", "top_p", "top_k"))}
        if body.get("seed") is not None:
            self._transformers.set_seed(body["seed"])
        form: dict[str, Any] = {"return_attention_mask": True, "return_tensors": "pt"}
        if body.get("stop"):
            sampling |= {"stop_strings": body["stop"], "tokenizer": self._tokenizer}
        torch, inputs = self._torch, self._tokenizer.pad({"input_ids": prompts}, **form)

        def stopped(ids: Any, _scores: Any) -> Any:  # for each row whether to stop: once the model is closed
            return torch.full((ids.shape[0],), self._closed.is_set(), device=ids.device, dtype=torch.bool)

        with torch.inference_mode():
            written = self._model.generate(
                **inputs.to(self._model.device),
                max_new_tokens=body["max_tokens"],
                stopping_criteria=[stopped],
                pad_token_id=self._tokenizer.pad_token_id,
                **sampling,
            )
        return list(written[:, inputs["input_ids"].shape[1] :].tolist())

    def _reply(self, prompt: Sequence[int], written: Sequence[int], stop: Sequence[str]) -> Reply:
        """Return the reply up to the first token, or text of `stop`, that ends it; padding follows it in a batch."""
        end = next((place for place, token in enumerate(written, 1) if token in self._ends), None)
        tokens = written[:end]
        whole = self._tokenizer.decode(tokens, skip_special_tokens=True)
        text = min((whole.partition(each)[0] for each in stop), key=len, default=whole)
        answer = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": len(prompt), "completion_tokens": len(tokens)}
        choices = [{"message": answer, "finish_reason": "stop" if end or text != whole else "length"}]
        return Reply(200, {"model": self._name, "choices": choices, "usage": usage})


def _settings(body: Mapping[str, Any]) -> tuple[Any, Any, Any, Any]:
    """Return what the requests of a batch have in common."""
    return body.get("max_tokens"), body.get("temperature"), body.get("seed"), body.get("stop")

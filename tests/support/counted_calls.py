"""How often files are opened and read, and tasks scored."""

from collections import Counter
from typing import Any

import pytest

from zs_bench.files import formats
from zs_bench.files.input_files import InputFile
from zs_bench.scoring import score_files
from zs_bench.validation import references


def counted_calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The number of calls from now on, by name: `opened`, `read`, `scored`, `hashed`."""
    calls: Counter[str] = Counter()

    def counted(name: str, function: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            calls[name] += 1
            return function(*args, **options)

        return call

    monkeypatch.setattr(InputFile, "opened", counted("opened", InputFile.opened))
    monkeypatch.setattr(formats, "read_source", counted("read", formats.read_source))
    monkeypatch.setattr(score_files, "score_texts", counted("scored", score_files.score_texts))
    monkeypatch.setattr(references, "reference_hash", counted("hashed", references.reference_hash))
    return calls

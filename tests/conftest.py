"""What all tests share: Hugging Face caches of their own, and the same generated texts on every run."""

import os
import tempfile

import pytest
from hypothesis import settings

settings.register_profile("the same on every run", derandomize=True, deadline=None, database=None, max_examples=60)
settings.load_profile("the same on every run")


def pytest_configure(config: pytest.Config) -> None:
    """Set before any test module imports evaluate, which reads these variables once."""
    cache = tempfile.TemporaryDirectory(prefix="zero-scrolls-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(cache.cleanup)
    os.environ.update(HF_HOME=cache.name, HF_MODULES_CACHE=os.path.join(cache.name, "modules"), HF_EVALUATE_OFFLINE="1")

"""The version number, and those of installed packages."""

import os
from importlib import import_module

VERSION = "0.1.0"


def installed_version(package: str, module: str) -> str:
    """Return the version of an installed package, from the name of the folder with its metadata, beside its module.

    `importlib.metadata` is asked where that is not clear; importing it takes longer than scoring a few answers.
    """
    beside = os.path.dirname(os.path.dirname(getattr(import_module(module), "__file__", None) or ""))
    name = package.replace("-", "_")
    names = os.listdir(beside) if os.path.isdir(beside) else ()
    folders = [each.removesuffix(".dist-info") for each in names if each.endswith(".dist-info")]
    versions = [folder[len(name) + 1 :] for folder in folders if folder.lower().startswith(f"{name}-")]
    if len(versions) == 1:
        return versions[0]
    version: str = import_module("importlib.metadata").version(package)
    return version

"""The version number."""

VERSION = "0.1.0"

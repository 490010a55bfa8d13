"""Leaves out the examples of integrations whose framework is not installed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

from lre.errors import MissingExtraError

HERE = Path(__file__).parent


def _without_framework() -> Iterator[str]:
    for file in sorted((HERE / "src" / "lre" / "integrations").glob("[a-z]*.py")):
        try:
            importlib.import_module(f"lre.integrations.{file.stem}")
        except MissingExtraError:
            yield str(file.relative_to(HERE))


collect_ignore = [*_without_framework()]

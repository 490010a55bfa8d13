"""A LiteLLM proxy of its own, on loopback, with the config that the guide shows."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

__all__ = ["Proxy", "is_installed", "proxying"]

EXAMPLES = Path(__file__).parent / "examples"
HOOK = "litellm_hook.hook"
LOG = """
import json
from litellm.integrations.custom_logger import CustomLogger

class Log(CustomLogger):
    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        told = kwargs["litellm_params"]
        with open(__file__.replace(".py", ".jsonl"), "a") as file:
            metadata = (told.get("litellm_metadata") or {}) | (told.get("metadata") or {})
            file.write(json.dumps(metadata.get("lre")) + "\\n")

log = Log()
"""


@dataclass(frozen=True)
class Proxy:
    """Where it listens, the key it wants, and the file with what its callbacks were told."""

    url: str
    key: str
    told: Path


def is_installed() -> bool:
    """Tell whether ``litellm[proxy]`` is there, and not ``litellm`` alone."""
    return all(find_spec(name) for name in ("apscheduler", "backoff", "fastapi_sso"))


@contextmanager
def proxying(provider: str, folder: Path) -> Iterator[Proxy]:
    """Run a proxy before a provider for as long as the block lasts."""
    key, port = f"sk-{secrets.token_hex(32)}", _free_port()
    there = {"OPENAI_BASE_URL": f"{provider}/v1", "OPENAI_API_KEY": "none"}
    own = {"LITELLM_MASTER_KEY": key, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    command = [str(Path(sys.executable).parent / "litellm"), "--config", str(_config(folder))]
    with (folder / "proxy.log").open("w") as log:
        process = subprocess.Popen(  # noqa: S603
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            env={**os.environ, **there, **own},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(url, process)
        yield Proxy(url, key, folder / "told.jsonl")
    finally:
        process.terminate()
        process.wait()


def _config(folder: Path) -> Path:
    """Lay the example's files there, and one more callback that writes down what it is told."""
    shutil.copy(EXAMPLES / "litellm_hook.py", folder)
    (folder / "told.py").write_text(LOG)
    config = folder / "litellm_config.yaml"
    text = (EXAMPLES / config.name).read_text()
    config.write_text(text.replace(HOOK, f"{HOOK}, told.log"))
    return config


def _free_port() -> int:
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        return int(there.getsockname()[1])


def _wait_for(url: str, process: subprocess.Popen[bytes], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/health/liveliness"):  # noqa: S310
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise RuntimeError("the proxy did not start")

"""Run the tests of the integrations, each against the real framework.

    python tests/frameworks/run.py                   # all
    python tests/frameworks/run.py langchain strands # these
    python tests/frameworks/run.py --changed         # what changed of late, and one more in turn

Environments are made in ``.venv-frameworks/`` and made anew only when their pins have changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from changes import changed_files, commits, local

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
HOME = ROOT / ".venv-frameworks"
SHARED = (
    *("src/lre/integrations/base.py", "src/lre/integrations/registry.py", "src/lre/sessions.py"),
    *("src/lre/history.py", "src/lre/telemetry.py", "src/lre/dialects/", "pyproject.toml"),
    *("tests/frameworks/contract.py", "tests/frameworks/provider/", "tests/frameworks/run.py"),
)
"""What every integration stands on: where this changes, all are run."""
OFFLINE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
"""Keeps packages from asking the network for what they have with them."""


@dataclass(frozen=True)
class Environment:
    """Packages that go together, and the integrations that are tested with them."""

    name: str
    integrations: tuple[str, ...]
    python: str = "3.11"

    @property
    def pins(self) -> Path:
        """The exact versions."""
        return HERE / "pins" / f"{self.name}.txt"

    def interpreter(self) -> str | None:
        """Find a Python that is new enough; on Debian, fetch one."""
        least = tuple(map(int, self.python.split(".")))
        if sys.version_info >= least:
            return sys.executable
        newer = (f"python3.{minor}" for minor in range(least[1], least[1] + 4))
        return next(filter(_runs, newer), None) or _fetched()


def _runs(python: str) -> bool:
    """Tell whether there is such a Python; what version managers put in its place does not run."""
    if not shutil.which(python):
        return False
    asked = [python, "-c", "import venv"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0  # noqa: S603


def _fetched() -> str | None:
    """Unpack Debian's newer Python beside the environments, where that can be done."""
    if not shutil.which("apt-get"):
        return None
    folder = HOME / "python"
    done = subprocess.run([str(HERE / "newer_python.sh"), str(folder)], check=False)  # noqa: S603
    return str(folder / "usr" / "bin" / "python3.13") if done.returncode == 0 else None


def environments() -> list[Environment]:
    """Read the table."""
    table = tomllib.loads((HERE / "environments.toml").read_text(encoding="utf-8"))
    return [
        Environment(name, tuple(told["integrations"]), told.get("python", "3.11"))
        for name, told in table.items()
    ]


def main() -> int:
    """Run what was asked for; the exit status is that of the first run that failed."""
    parser = argparse.ArgumentParser(description="Run the tests of the integrations.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an integration; by default all")
    parser.add_argument("--changed", action="store_true", help="only what changed in a day")
    asked = parser.parse_args()
    known = {name for one in environments() for name in one.integrations}
    unknown = {*asked.names} - known
    if unknown:
        parser.error(f"no {', '.join(sorted(unknown))}: choose from {', '.join(sorted(known))}")
    names = {*asked.names} or (changed(sorted(known)) if asked.changed else known)
    print("integrations:", ", ".join(sorted(names)), flush=True)
    return max(run(one, names) for one in environments())


def run(environment: Environment, names: Iterable[str]) -> int:
    """Run the tests of these integrations in their environment, if any of them is there."""
    chosen = [name for name in environment.integrations if name in names]
    python = environment.interpreter() if chosen else None
    if chosen and python is None:
        print(f"SKIPPED {', '.join(chosen)}: there is no Python {environment.python} or newer")
    if python is None:
        return 0
    made = made_ready(environment, python, chosen)
    tests = [str(HERE / f"test_{name}.py") for name in chosen]
    # The frameworks' own warnings are not ours; everything else is as in the main suite.
    options = ["-n", "2", "-W", "default", "--override-ini=addopts=--import-mode=importlib -ra"]
    command = [made, "-m", "pytest", *options, *tests]
    return subprocess.call(command, cwd=ROOT, env={**os.environ, **OFFLINE})  # noqa: S603


def made_ready(environment: Environment, python: str, chosen: Sequence[str]) -> str:
    """Install an environment unless it is there, and give its interpreter."""
    home = HOME / environment.name
    made, stamp = home / "bin" / "python", home / ".installed"
    pins = environment.pins.read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != pins:
        what = f"{environment.name} for {', '.join(chosen)}"
        print(f"Installing {what}: some minutes, once", flush=True)
        subprocess.check_call([python, "-m", "venv", "--clear", str(home)])  # noqa: S603
        pip = [str(made), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.check_call([*pip, "-r", str(environment.pins)], cwd=ROOT)  # noqa: S603
        subprocess.check_call([*pip, "--no-deps", "-e", "."], cwd=ROOT)  # noqa: S603
        stamp.write_text(pins, encoding="utf-8")
    return str(made)


def changed(names: Sequence[str]) -> set[str]:
    """Name the integrations whose adapter, pins or shared code changed, and one more in turn.

    What counts is the last day before the latest commit. Without a history to look into, as in a
    shallow clone, everything has changed.
    """
    files = changed_files(ROOT)
    if not files or any(file.startswith(SHARED) for file in files):
        return {*names}
    own = {name for name in names if files & {_path(file) for file in files_of(name)}}
    return own | {names[commits(ROOT) % len(names)]}


def files_of(name: str) -> set[Path]:
    """Give the pins, the adapter and the test of an integration, with what they import."""
    adapter = ROOT / "src" / "lre" / "integrations" / f"{name}.py"
    examples = {*(HERE / "examples").glob(f"{name}*")}
    pins = {one.pins for one in environments() if name in one.integrations}
    return pins | examples | local(adapter) | local(HERE / f"test_{name}.py")


def _path(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    sys.exit(main())

"""Fit the price tables of the `estimate` counter, and report how they do on held-out texts.

    python benchmarks/calibrate_estimate.py TEXTS          # report on the tables in the package
    python benchmarks/calibrate_estimate.py TEXTS --fit    # print new tables, and their report

TEXTS is a folder with one JSONL file of strings for each class of text. Classes that can be
generated (base64, hex, numbers, logs, emoji, …) are added. Three fifths of the texts of a class
are for fitting, the rest for the report. Needs the extra `train` (SciPy) to fit.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lre.tokens.estimate import BYTE_PRICES, STEP_PRICES, UNIT, kind_table
from lre.tokens.exact import BytePairs

Floats = NDArray[np.float64]
Slices = list[tuple[str, str]]

FEWEST, MOST = 200, 3000  # characters of a slice
PATIENCE = 0.985  # an undercount weighs 0.985, an overcount 0.015
WEIGHTS = {  # other than 1: far from what histories hold, or at odds with a more common class
    "chinese, traditional": 0.15,
    "letters in a grid": 0.2,
    "other cyrillic": 0.2,
    "random bytes as latin-1": 0.05,
    "random unicode": 0.02,
}
EMOJI = [chr(c) for a, b in ((0x1F300, 0x1F650), (0x1F680, 0x1F6D8), (0x1F900, 0x1FA00))
         for c in range(a, b)]  # fmt: skip
COMMON_EMOJI = "😂❤🤣👍😭🙏😘🥰😍😊🎉😁💕🥺😅🔥🤦🙄😆🤗🎂🤔👏🙂😎👌💜💪✨💖👀😏😩💯🚀✅⚠🎯📌🐛"


def generated(rng: random.Random, words: list[str]) -> dict[str, Callable[[int], str]]:
    """Give makers of texts of about so many characters, by class."""
    number: list[Callable[[], str]] = [
        lambda: str(rng.randrange(10 ** rng.randint(1, 9))),
        lambda: f"{rng.random():.4f}",
        lambda: f"{rng.uniform(-1e3, 1e3):.2f}",
        lambda: str(rng.random()),
    ]

    def raw(n: int) -> bytes:
        return rng.randbytes(n * 3 // 4)

    def prose(n: int) -> str:
        start = rng.randrange(len(words) - n // 4)
        return " ".join(words[start : start + n // 5])

    def emoji() -> str:
        tail = rng.choice(["", "", "", "", "", "\ufe0f", "🏽", "\u200d♂️", " "])
        return rng.choice(COMMON_EMOJI if rng.random() < 0.7 else EMOJI) + tail

    def lines(maker: Callable[[], str], n: int, width: int) -> str:
        return "\n".join(maker() for _ in range(n // width + 1))

    def log() -> str:
        day = f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        time = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}"
        name = rng.choice(["app.server", "com.example.Handler", "kernel", "db.session"])
        text = " ".join(rng.sample(words, 5))
        return f"{day} {time},{rng.randint(0, 999):03} INFO [{name}] {text} id={number[0]()}"

    def path() -> str:
        folders = "/".join(word.lower() for word in rng.sample(words, 4))
        return f"/{folders}.{rng.choice(['py', 'json', 'ts'])}:{rng.randint(1, 900)}"

    def row() -> str:
        return "| " + " | ".join(rng.choice(words).ljust(12) for _ in range(5)) + " |"

    return {
        "base64": lambda n: base64.b64encode(raw(n)).decode(),
        "base64 in lines": lambda n: base64.encodebytes(raw(n)).decode(),
        "base64, url-safe": lambda n: base64.urlsafe_b64encode(raw(n)).decode(),
        "base64 of text": lambda n: base64.b64encode(prose(n).encode()).decode(),
        "hex": lambda n: raw(n).hex(),
        "hex, upper case": lambda n: raw(n).hex().upper(),
        "hex dump": lambda n: raw(n).hex(" "),
        "uuids": lambda n: lines(lambda: str(uuid.UUID(bytes=rng.randbytes(16))), n, 37),
        "digits": lambda n: "".join(rng.choices("0123456789", k=n)),
        "numbers": lambda n: lines(lambda: ",".join(rng.choice(number)() for _ in range(6)), n, 60),
        "emoji": lambda n: "".join(emoji() for _ in range(n)),
        "emoji in prose": lambda n: "".join(
            word + (emoji() if rng.random() < 0.1 else " ") for word in prose(n).split()
        ),
        "logs": lambda n: lines(log, n, 100),
        "paths": lambda n: lines(path, n, 35),
        "tables": lambda n: lines(row, n, 77),
        "upper-case prose": lambda n: prose(n).upper(),
        "CamelCase": lambda n: "".join(word.title() for word in prose(n).split()),
        "snake_case": lambda n: "_".join(prose(n).lower().split()),
        "escaped CJK": lambda n: json.dumps(
            "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(n // 6))
        ),
        "letters in a grid": lambda n: " ".join(rng.choices("ABCDEFGabcxyz", k=n // 2)),
        "random lower case": lambda n: "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=n)),
        "random ASCII": lambda n: "".join(chr(rng.randrange(33, 127)) for _ in range(n)),
        "random bytes as latin-1": lambda n: raw(n).decode("latin-1"),
        "random unicode": lambda n: "".join(chr(rng.randrange(0xD800)) for _ in range(n)),
    }


def read(folder: Path, rng: random.Random) -> dict[str, list[str]]:
    """Read the given texts, by class, and generate the other classes."""
    texts: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.jsonl")):
        texts[file.stem] = [json.loads(line) for line in file.open(encoding="utf-8")]
        rng.shuffle(texts[file.stem])
    words = [word for text in texts["prose"] for word in text.split() if word.isascii()]
    for name, make in generated(rng, words).items():
        texts[name] = [make(MOST) for _ in range(200)]
    return texts


def slices(texts: dict[str, list[str]], held_out: bool, each: int) -> Iterator[tuple[str, str]]:
    """Cut slices of 200 to 3,000 characters at random places, so many for each class."""
    rng = random.Random(held_out)
    for name, whole in texts.items():
        cut = len(whole) * 3 // 5
        part = [t for t in (whole[cut:] if held_out else whole[:cut]) if len(t) >= FEWEST]
        for _ in range(each if part else 0):
            text = rng.choice(part)
            size = min(len(text), int(FEWEST * (MOST / FEWEST) ** rng.random()))
            start = rng.randint(0, len(text) - size)
            if text[start : start + size].strip():
                yield name, text[start : start + size]


def features(texts: list[str]) -> Floats:
    """Count the 256 steps and the 256 bytes of each text: (n, 512)."""
    kinds = np.frombuffer(kind_table(), np.uint8).astype(np.intp)
    table = np.zeros((len(texts), 512))
    for row, text in zip(table, texts, strict=True):
        data = np.frombuffer(b"\xff" + text.encode("utf-8", "surrogatepass"), np.uint8)
        kind = kinds[data]
        row[:256] = np.bincount(kind[:-1] * 16 + kind[1:], minlength=256)
        row[256:] = np.bincount(data[1:], minlength=256)
    return table


def fit(table: Floats, exact: Floats, weights: Floats) -> Floats:
    """Solve the quantile regression of the relative error, prices from 0 to 255/128."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack, identity

    n, d = table.shape
    eye = identity(n)
    equal = hstack([csr_matrix(table / exact[:, None]), eye, -eye]).tocsr()
    least = np.full(d, 1e-4)  # ties go to the smaller price
    costs = np.concatenate([least, weights * PATIENCE, weights * (1 - PATIENCE)])
    first = [(0, 1.0)] * 16  # the step into a text must not pay for the rest of it
    bounds = [*first, *[(0, 255 / UNIT)] * (d - 16), *[(0, None)] * (2 * n)]
    found: Any = linprog(costs, A_eq=equal, b_eq=np.ones(n), bounds=bounds, method="highs-ipm")
    prices: Floats = np.rint(found.x[:d] * UNIT)
    return prices


def report(rows: Slices, ratios: Floats) -> None:
    """Print mean, least and 1 % quantile of estimate/exact, and the share below 0.95."""
    print("| class | mean | least | 1 % | below .95 |\n| --- | --- | --- | --- | --- |")
    names = np.array([name for name, _ in rows])
    for name in dict.fromkeys(names):
        r = ratios[names == name]
        low, share = np.quantile(r, 0.01), np.mean(r < 0.95)
        print(f"| {name} | {r.mean():.2f} | {r.min():.2f} | {low:.2f} | {share:.1%} |")


def main() -> None:
    """Report on the shipped tables, or fit new ones first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    texts = read(arguments.texts, random.Random(0))
    exact = BytePairs("o200k")
    prices = np.array([*STEP_PRICES.split(), *BYTE_PRICES.split()], float)
    if arguments.fit:
        rows = list(slices(texts, held_out=False, each=800))
        weights = np.array([WEIGHTS.get(name, 1.0) for name, _ in rows])
        known = [text for _, text in rows]
        prices = fit(features(known), np.array(exact.count(known), float), weights)
        print("\n\n".join("\n".join(" ".join(f"{x:3.0f}" for x in row) for row in half)
                          for half in prices.reshape(2, 16, 16)))  # fmt: skip
    rows = list(slices(texts, held_out=True, each=300))
    held = [text for _, text in rows]
    estimated = np.ceil(features(held) @ prices / UNIT)
    report(rows, estimated / np.array(exact.count(held), float))


if __name__ == "__main__":
    main()

"""What dialects, features and segmenters promise, beside the laws."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lre import dialects
from lre.dialects import Dialect
from lre.dialects.base import Path, as_mapping
from lre.dialects.slots import slot_text, with_texts
from lre.errors import MessageError
from lre.features import Feature
from lre.ledger import Ledger
from lre.messages import Message
from lre.spans import bounds, gaps, shortened
from lre.testing.cutting import bare
from lre.testing.laws import causal_features
from lre.testing.laws.time import values_of
from lre.testing.reference import Case, added_problems, open_calls, tied
from lre.units import segment

__all__ = [
    "cuts",
    "eviction_adds_no_problem",
    "feature_is_sound",
    "reads_and_writes",
    "refuses",
    "reports",
    "segments",
]

Entries = Sequence[Any]


def promise(holds: bool, broken: str) -> None:
    """Say what is broken, unless it holds."""
    if not holds:
        raise AssertionError(broken)


def reads_and_writes(dialect: Dialect, entries: Entries) -> None:
    """A dialect hands back the very entries that it read, and changes none of them."""
    before = copy.deepcopy(entries)
    messages = dialects.parse(entries, dialect)[1]
    promise(entries == before, f"{dialect.name}: parse changed an entry")
    written = dialect.render(messages)
    same = [id(entry) for entry in written] == [id(entry) for entry in entries]
    promise(same, f"{dialect.name}: render wrote other objects than those that were read")
    for index, entry in enumerate(entries):
        strength = dialect.evidence(as_mapping(entry, "entry"))
        promise(strength in (0, 1, 2, 3), f"{dialect.name}: evidence of [{index}] is {strength!r}")


def reports(dialect: Dialect, entries: Entries) -> None:
    """Problems are the same twice, in the order of the list, one line each, with a rule."""
    messages = dialects.parse(entries, dialect)[1]
    found = dialect.problems(messages)
    promise(found == dialect.problems(messages), f"{dialect.name}: other problems the second time")
    places = [problem.index for problem in found]
    promise(places == sorted(places), f"{dialect.name}: problems out of order: {places}")
    promise(set(places) <= {*range(len(entries))}, f"{dialect.name}: problems outside: {places}")
    lines = all(p.rule and p.text and "\n" not in p.text for p in found)
    promise(lines, f"{dialect.name}: a problem without a rule, or not in one line")
    promise(dialect.problems([]) == [], f"{dialect.name}: problems in an empty list")


def cuts(dialect: Dialect, entries: Entries, keeps: Sequence[bool]) -> None:
    """A dialect's slots lead to texts; cutting these leaves all else as it was, and valid."""
    before, kept = copy.deepcopy(entries), itertools.cycle(keeps)
    messages = dialects.parse(entries, dialect)[1]
    short = [with_texts(entry, _shortened(dialect, entry, kept)) for entry in entries]
    promise(entries == before, f"{dialect.name}: cutting changed an entry")
    for index, message in enumerate(dialects.parse(short, dialect)[1]):
        shape = bare(messages[index]), bare(message)
        promise(shape[0] == shape[1], f"{dialect.name}: slots cut {shape[0]} down to {shape[1]}")
    added = added_problems(entries, range(len(entries)), short, dialect)
    promise(not added, f"{dialect.name}: once texts are cut there is also {'; '.join(added)}")


def _shortened(dialect: Dialect, entry: object, kept: Iterator[bool]) -> dict[Path, str]:
    texts: dict[Path, str] = {}
    for path in dialect.slots(entry):
        text = slot_text(entry, path)
        places = bounds(text)
        holes = gaps(text, places, [next(kept) for _ in places[1:]])
        texts[path] = shortened(text, holes, [end - start for start, end in holes])
    return texts


def refuses(dialect: Dialect, entries: Entries) -> None:
    """What is no message gets one clear error with its path, and nothing else happens."""
    try:
        messages = dialects.parse(entries, dialect)[1]
        dialect.problems(messages)
    except MessageError as error:
        promise(error.where.startswith("messages["), f"{dialect.name}: the error names no place")
        promise("\n" not in str(error), f"{dialect.name}: the error takes several lines")
    except Exception as error:
        raise AssertionError(f"{dialect.name}: {type(error).__name__} on {entries!r}") from error


def eviction_adds_no_problem(dialect: Dialect, entries: Entries, goes: Sequence[bool]) -> None:
    """Taking out whole units, apart from what is always kept, adds no problem (law 2)."""
    case = Case(entries, {"recent": 0}, dialect)
    free = [unit.messages for unit in case.units if not case.must_stay & {*unit.messages}]
    gone = {index for unit, go in zip(free, goes, strict=False) if go for index in unit}
    kept = [index for index in range(len(entries)) if index not in gone]
    added = added_problems(entries, kept, [entries[index] for index in kept], dialect)
    promise(not added, f"{dialect.name}: without {sorted(gone)} there is also {'; '.join(added)}")


def segments(how: str, messages: Sequence[Message], goes: Sequence[bool]) -> None:
    """Units hold each message once, tied ones together, whatever comes later or goes."""
    units = [unit.messages for unit in segment(messages, how)]
    members = sorted(index for unit in units for index in unit)
    promise(members == [*range(len(messages))], f"{how}: units hold {members}")
    order = all(list(unit) == sorted(unit) for unit in units) and units == sorted(units)
    promise(order, f"{how}: units are out of order: {units}")
    of = {index: unit for unit in units for index in unit}
    for one, other in tied(messages):
        promise(of[one] == of[other], f"{how}: messages {one} and {other} were parted")
    waiting = {of[index] for index in open_calls(messages)}
    opened = {unit.messages for unit in segment(messages, how) if unit.open}
    promise(waiting == opened, f"{how}: units {opened} are open, not {waiting}")
    _whole_when_others_go(how, messages, units, goes)


def _whole_when_others_go(
    how: str, messages: Sequence[Message], units: Sequence[tuple[int, ...]], goes: Sequence[bool]
) -> None:
    gone = {index for unit, go in zip(units, goes, strict=False) if go for index in unit}
    left = [index for index in range(len(messages)) if index not in gone]
    again = segment([messages[index] for index in left], how)
    now = {left[place]: number for number, unit in enumerate(again) for place in unit.messages}
    for unit in units:
        pieces = {now[index] for index in unit if index in now}
        promise(len(pieces) < 2, f"{how}: without {sorted(gone)} unit {unit} falls apart")


def feature_is_sound(feature: Feature, entries: Entries, dialect: str) -> None:
    """A feature is finite and in its range; batch = one by one; law 5 as far as it applies."""
    batch, single = Ledger(dialect), Ledger(dialect)
    batch.extend(entries)
    for entry in entries:
        single.extend([entry])
        single.inventory("unit")
    view, name = batch.view(), feature.name
    values = feature.of(view.moment if feature.about == "unit" else view.standing)
    size = len(view.units) if feature.about == "unit" else view.standing.size
    promise(values.shape == (size,), f"{name}: shape {values.shape} for {size} rows")
    promise(bool(np.isfinite(values).all()), f"{name}: not finite: {values}")
    within = bool(((values >= 0) & (values <= feature.high)).all())
    promise(within, f"{name}: not between 0 and {feature.high}: {values}")
    together = values_of(feature, view)
    for how, other in (("pieces", single.view()), ("spans", batch.view("span"))):
        apart = values_of(feature, other)
        promise(np.array_equal(together, apart), f"{name}: {together}, in {how} {apart}")
    causal_features(list(entries), [feature], dialect=dialect)

"""Policies by name."""

from __future__ import annotations

from importlib import metadata
from importlib.metadata import EntryPoint

import pytest

from lre.errors import SettingError, UnknownNameError
from lre.policies import POLICIES, Policy, names, policy, registry


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_answers_to_its_name(name: str) -> None:
    made = policy(name)
    assert made.name == name
    assert isinstance(made, Policy)


def test_a_policy_is_handed_back() -> None:
    made = policy("fifo")
    assert policy(made) is made


def test_a_dotted_path_is_taken_too() -> None:
    assert policy("lre.policies.random:Random", seed=3).name == "random"


def test_an_unknown_name_gets_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="unknown policy 'lru': choose from decay, fifo, "):
        policy("lru")


@pytest.mark.parametrize(
    "path", ["no.such.module:Policy", "lre.policies.fifo:Nothing", ":", ":b", "..:x"]
)
def test_a_path_that_leads_nowhere_is_named(path: str) -> None:
    with pytest.raises(SettingError, match="cannot be loaded"):
        policy(path)


def test_an_option_that_a_policy_does_not_take_is_named() -> None:
    with pytest.raises(SettingError, match=r"policy 'fifo'.*scorer"):
        policy("fifo", scorer="mine.json")


def test_what_is_no_policy_is_refused() -> None:
    with pytest.raises(SettingError, match="object is no policy"):
        policy(object())  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="Fifo is no policy"):
        policy(type(policy("fifo")))  # type: ignore[arg-type]


def test_other_packages_add_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("newest", "lre.policies.fifo:Fifo", registry.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry] * bool(group))
    assert names()["newest"] == "lre.policies.fifo:Fifo"
    assert policy("newest").name == "fifo"


def test_a_name_that_is_taken_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("fifo", "elsewhere:Fifo", registry.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry] * bool(group))
    with pytest.raises(SettingError, match="two policies are called 'fifo'"):
        names()

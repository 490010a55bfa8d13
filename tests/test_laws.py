"""Every policy keeps the laws it does not waive; every dialect, feature and segmenter as well.

They are found by themselves: adding one needs no change here.
"""

from __future__ import annotations

import pytest
from hypothesis import settings

from lre import policies, problems
from lre.dialects import DIALECTS
from lre.features import FEATURES
from lre.testing import (
    NAMES,
    check_dialect,
    check_feature,
    check_policy,
    check_reproducible,
    check_segmenter,
    laws_of,
)
from lre.testing.samples import SAMPLES
from lre.units import SEGMENTERS

FEW = max(10, settings().max_examples // 3)
"""There are many checks; HYPOTHESIS_PROFILE=thorough draws more for each."""

KEPT = [(name, law) for name in sorted(policies.names()) for law in laws_of(name)]


@pytest.mark.parametrize(
    ("policy", "law"), KEPT, ids=[f"{policy}:{law} {NAMES[law]}" for policy, law in KEPT]
)
def test_policy_keeps(policy: str, law: int) -> None:
    check_policy(policy, laws=[law], examples=FEW)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dialect_keeps_its_promises(dialect: str) -> None:
    check_dialect(dialect, examples=FEW)


@pytest.mark.parametrize("name", FEATURES)
def test_feature_is_sound(name: str) -> None:
    check_feature(FEATURES[name], examples=FEW)


@pytest.mark.parametrize("how", SEGMENTERS)
def test_units_are_whole(how: str) -> None:
    check_segmenter(how, examples=FEW)


@pytest.mark.parametrize("dialect", SAMPLES)
def test_no_provider_objects_to_the_samples(dialect: str) -> None:
    assert problems(SAMPLES[dialect]) == problems(SAMPLES[dialect], dialect) == []


def test_another_process_decides_the_same() -> None:
    check_reproducible(*sorted(policies.names()))

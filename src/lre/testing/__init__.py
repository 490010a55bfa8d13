"""Checks that ship with the library, for policies, dialects and features of your own.

>>> check_policy("fifo", examples=2)

Needs the extra `testing`. `lre.testing.laws` has the laws one by one, for messages of your own;
`lre.testing.strategies` draws conversations.
"""

from lre.errors import MissingExtraError

try:
    import hypothesis  # noqa: F401
except ImportError as error:
    raise MissingExtraError("Hypothesis", "testing") from error

from lre.testing.checks import (
    check_dialect,
    check_feature,
    check_policy,
    check_reproducible,
    check_segmenter,
    laws_of,
)
from lre.testing.laws import LAWS, NAMES, Law
from lre.testing.strategies import conversations, valid_conversations

__all__ = [
    "LAWS",
    "NAMES",
    "Law",
    "check_dialect",
    "check_feature",
    "check_policy",
    "check_reproducible",
    "check_segmenter",
    "conversations",
    "laws_of",
    "valid_conversations",
]

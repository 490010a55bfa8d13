"""Who takes part, by name: what is learnt on other folds, what is published, and plain policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lre.bench.contenders import rewrites
from lre.errors import SettingError, UnknownNameError
from lre.features import FEATURES
from lre.learn.chat import Course
from lre.policies import Policy, known, names, policy
from lre.policies.lre_chat import FEATURES as CHAT
from lre.policies.lre_chat import STYLE
from lre.tokens import CounterSpec

__all__ = ["COURSES", "PUBLISHED", "Plan"]

_CONTENT = tuple(name for name in CHAT if FEATURES[name].kind == "intrinsic")
_TOPICLESS = tuple(name for name in CHAT if name != "topics")
_PLAIN = tuple(name for name in CHAT if name not in STYLE)

COURSES: Mapping[str, tuple[Course, str]] = {
    "lre": (Course(CHAT, "gold"), "learnt from gold evidence"),
    "lre-self": (Course(CHAT, "asked"), "learnt from logged questions and answers"),
    "lre-self-answers": (Course(CHAT, "answered"), "learnt from logged answers alone"),
    "lre-self-paper": (Course(CHAT, "covered"), "learnt by the paper's label"),
    "lre-self-replies": (Course(CHAT, "replied"), "learnt from what was said later, unasked"),
    "lre-content": (Course(_CONTENT, "gold"), "by what is in a unit alone, not what is around it"),
    "lre-plain": (Course(_PLAIN, "gold"), "without features of how somebody writes"),
    "lre-no-topics": (Course(_TOPICLESS, "gold"), "without the list of words for people's lives"),
    "lre-no-terms": (Course(CHAT, "gold", 0), "by features alone, no words"),
}
"""What is fitted on other folds, and what has to be said of it."""

PUBLISHED: Mapping[str, tuple[str, str]] = {
    "lre-paper": ("gold", "the published features and terms, gold evidence"),
    "lre-paper-self": ("covered", "the published features and terms, the paper's label"),
}
"""The method of the paper: what it is taught by, and what has to be said of it."""

_ALIASES = {"lre-shipped": ("lre-chat", "the scorer that ships, as it is")}
_SHIPPED_FROM = "longmemeval"


@dataclass(frozen=True)
class Plan:
    """What takes part, on which data set, and how tokens are counted.

    Raises
    ------
    UnknownNameError
        If there is no such policy.
    SettingError
        If a policy writes texts anew: it has no opinion of units.
    """

    names: Sequence[str]
    dataset: str
    counter: CounterSpec = "o200k"
    seed: int = 0

    def __post_init__(self) -> None:
        own = {*COURSES, *PUBLISHED, *_ALIASES, "oracle"}
        for name in self.names:
            if name not in own and not known(name):
                raise UnknownNameError("policy", name, {*own, *names()})
        for name, made in self.untaught().items():
            if rewrites(made):
                raise SettingError(
                    f"{name} rewrites texts and ranks no units",
                    remedy="measure it by lre bench replay",
                )

    @property
    def labels(self) -> list[str]:
        """What has to be learnt from."""
        found = [COURSES[name][0].label for name in self.names if name in COURSES]
        found += [PUBLISHED[name][0] for name in self.names if name in PUBLISHED]
        return sorted(set(found))

    def untaught(self) -> dict[str, Policy]:
        """Make those that need no training here."""
        taught = {*COURSES, *PUBLISHED, "oracle"}
        plain = [name for name in self.names if name not in taught]
        return {name: policy(_ALIASES.get(name, (name,))[0]) for name in plain}

    def note(self, name: str) -> str:
        """Say what has to be said beside the figures of one that is not taught here."""
        said = [_ALIASES[name][1]] if name in _ALIASES else []
        if self.dataset == _SHIPPED_FROM and name in ("lre-chat", *_ALIASES):
            said.append("learnt from these very conversations")
        return ", ".join(said)

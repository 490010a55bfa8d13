"""Names of policies, and how to get one."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from lre.errors import SettingError, UnknownNameError
from lre.policies.base import Policy

__all__ = ["POLICIES", "names", "policy"]

POLICIES: Mapping[str, str] = {
    "decay": "lre.policies.decay:Decay",
    "fifo": "lre.policies.fifo:Fifo",
    "full": "lre.policies.full:Full",
    "lre": "lre.policies.lre:Lre",
    "lre-additive": "lre.policies.lre_additive:LreAdditive",
    "lre-chat": "lre.policies.lre_chat:LreChat",
    "lre-exact": "lre.policies.lre_exact:LreExact",
    "lre-paper": "lre.policies.lre_paper:LrePaper",
    "random": "lre.policies.random:Random",
    "salience": "lre.policies.salience:Salience",
    "salience-prefix": "lre.policies.salience:SaliencePrefix",
}
"""Built-in policies: name → ``module:attribute``, imported when asked for."""

GROUP = "lre.policies"


def names() -> dict[str, str]:
    """Every policy's name and place, those that other packages add by entry point included.

    Raises
    ------
    SettingError
        If a package adds a name that is taken.
    """
    from importlib.metadata import entry_points  # a tenth of the time of `import lre`

    found = dict(POLICIES)
    for entry in entry_points(group=GROUP):
        if found.get(entry.name, entry.value) != entry.value:
            raise SettingError(
                f"two policies are called {entry.name!r}",
                where=f"entry points {GROUP}",
                remedy=f"uninstall {found[entry.name]} or {entry.value}",
            )
        found[entry.name] = entry.value
    return found


def policy(name: str | Policy, **options: Any) -> Policy:
    """Make a policy from its name, or from ``"package.module:Class"``.

    `options` go to its constructor; a policy that is one already is handed back.

    >>> policy("random", seed=7).name
    'random'

    Raises
    ------
    UnknownNameError
        If there is no such policy; the message lists the choices.
    SettingError
        If the policy does not take an option.
    """
    if not isinstance(name, str):
        return _checked(name)
    place = POLICIES.get(name) or (name if ":" in name else names().get(name))
    if place is None:
        raise UnknownNameError("policy", name, names())
    module, _, attribute = place.partition(":")
    try:
        make = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise SettingError(f"policy {name!r} cannot be loaded: {error}") from error
    try:
        return _checked(make(**options))
    except TypeError as error:
        raise SettingError(
            f"policy {name!r} cannot be made with {', '.join(options) or 'no options'} ({error})",
            remedy="see its class for what it takes",
        ) from error


def _checked(candidate: object) -> Policy:
    if isinstance(candidate, Policy) and not isinstance(candidate, type):
        return candidate
    what = candidate.__name__ if isinstance(candidate, type) else type(candidate).__name__
    raise SettingError(
        f"{what} is no policy",
        remedy="give a name, or name, waives, score, choose",
    )

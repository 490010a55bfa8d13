"""Clients of the OpenAI and Anthropic SDKs, which have one way to send and no hook in common."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from lre.integrations.bodies import Bodies
from lre.telemetry import facts

__all__ = ["fitting_client"]

C = TypeVar("C")
Fit = Callable[[str, Any], Any]


def fitting_client(client: C, bodies: Bodies, paths: Mapping[str, str], logger: str) -> C:
    """Copy a client; the copy fits what it posts.

    All resources, whether they stream, parse or give raw responses, send through the public
    `request` of their client, once for each call whatever is tried again, sync or async alike.

    Parameters
    ----------
    client
        Stays as it is; the copy shares its connections, and is of the same class.
    paths
        Which paths take a list of which dialect.
    logger
        Is told of every receipt, at the level INFO if something went.
    """
    log = logging.getLogger(logger)

    def fit(path: str, body: Any) -> Any:
        dialect = paths.get(path)
        fitted, receipt = bodies.fit(dialect, body) if dialect else (body, None)
        if receipt is not None:
            level = logging.DEBUG if receipt.is_unchanged else logging.INFO
            log.log(level, "lre.receipt %s", facts(receipt))
        return fitted

    copied: C = _fitting(client.copy(), fit)  # type: ignore[attr-defined]
    return copied


def _fitting(client: Any, fit: Fit) -> Any:
    """Set the copy's own methods; a subclass would be refused where the SDKs ask for a class."""
    request, copy_of = client.request, client.copy

    def send(cast_to: Any, options: Any, **rest: Any) -> Any:
        return request(cast_to, _fitted(options, fit), **rest)

    def again(**changes: Any) -> Any:
        return _fitting(copy_of(**changes), fit)

    vars(client).update(request=send, copy=again, with_options=again)
    return client


def _fitted(options: Any, fit: Fit) -> Any:
    """Copy the options of a request with a shorter body, if it is shorter."""
    body = fit(options.url.partition("?")[0], options.json_data)
    if body is options.json_data:
        return options
    shorter = copy.copy(options)
    shorter.json_data = body
    return shorter

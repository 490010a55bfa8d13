"""Learned Relevance Eviction: fit an agent's history into a token budget, verbatim.

>>> import lre
>>> messages = [{"role": "user", "content": f"Ticket T-{i}00{i} is open."} for i in range(40)]
>>> result = lre.evict(messages, budget=400)
>>> result.over_budget, result.messages[0] is messages[0]
(False, True)
"""

from lre.decide import Eviction
from lre.errors import LreError
from lre.evict import evict
from lre.explain import Explanation, explain
from lre.history import History
from lre.lint import problems
from lre.messages import Decision, Message, Selection, Unit
from lre.policies import Policy, policy
from lre.receipt import Receipt
from lre.scorer import Scorer
from lre.sessions import Sessions

__version__ = "0.1.0"

__all__ = [
    "Decision",
    "Eviction",
    "Explanation",
    "History",
    "LreError",
    "Message",
    "Policy",
    "Receipt",
    "Scorer",
    "Selection",
    "Sessions",
    "Unit",
    "evict",
    "explain",
    "policy",
    "problems",
]

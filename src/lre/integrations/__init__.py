"""One short file for each framework, all of one shape: translate, fit, translate back.

>>> from lre.integrations import INTEGRATIONS
>>> "langchain" in INTEGRATIONS
True
"""

from lre.integrations.base import Fitted, Fitter, Native, Translator
from lre.integrations.registry import INTEGRATIONS, Integration

__all__ = ["INTEGRATIONS", "Fitted", "Fitter", "Integration", "Native", "Translator"]

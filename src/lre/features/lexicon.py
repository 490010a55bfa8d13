"""Words that say what kind of text they stand in."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from lre.features.index import WordIndex
from lre.features.lexer import word_hashes

__all__ = ["CATEGORIES", "plant"]

CATEGORIES = {
    "errors": 1,
    "code": 2,
    "urls": 4,
    "selves": 8,
    "times": 16,
    "courtesies": 32,
    "topics": 64,
    "fillers": 128,
}
"""Bits of a word's category, by the name under which its words are counted."""

# "topics" are what people tell each other of their lives: family, work, places, pastimes, health.
_WORDS = {
    "errors": """
        abort aborted assertionerror attributeerror cannot crash crashed denied enoent error
        errors exception exceptions fail failed fails failure failures fatal filenotfounderror
        forbidden importerror indexerror invalid keyerror modulenotfounderror nameerror
        notimplementederror oserror panic permissionerror refused rejected runtimeerror segfault
        syntaxerror timeout traceback typeerror unauthorized undefined unsuccessful valueerror
    """,
    "code": """
        async await bool catch class const def elif else enum except finally fn for func function
        if impl import int interface lambda let namespace none null package print private public
        raise return self static str struct super switch this throw try typeof var void while
        yield
    """,
    "urls": "http https www ftp",
    "selves": "i me my mine myself we us our ours ourselves",
    "times": """
        ago anniversary april august autumn birthday days december fall february friday january
        july june last march may monday month months morning next november october recently
        saturday september since soon spring summer sunday thursday today tomorrow tonight
        tuesday wednesday week weekend weeks winter year years yesterday
    """,
    "courtesies": """
        absolutely amazing appreciate awesome bye care congrats congratulations cool definitely
        exactly fantastic glad good great haha hello hey hi hope incredible inspiring lol love
        lovely luck nice ok okay pleasure proud right sorry sounds support sure sweet thank
        thanks thx totally true welcome wish wonderful wow yay yeah yep yes
    """,
    "topics": """
        abroad airport album allergic allergy anxiety apartment art asthma aunt author award baby
        bake baking band baseball basketball beach beef beer bicycle bike bird book books boss
        bought boyfriend brand breakfast breed brother business cafe cake california camera camp
        camping canada cancer car career cat cats championship charity chicken child children
        chocolate church city class classes climbing coach coffee collect collection college
        community company competition computer concert console cook cookies cooking cost country
        course cousin cream cycling dad dance dancing daughter degree depression designer dessert
        diabetes diet dinner disease dish divorced doctor dog dogs dollars draw drawing dress
        drums engaged engineer europe exam exercise family father festival fiance film fish
        fishing flight flowers food football forest fruit furniture game games garden gift
        girlfriend golf graduated graduation grandfather grandma grandmother grandpa grandparents
        guitar gym health hike hiking hockey home horse hospital hotel house hurt husband ice
        illness injured injury interview island italy jacket japan job kids kitten lake laptop
        lawyer league london lunch major manager marathon married match medication medicine
        meditation mental mom money mother mountain mountains movie movies museum music
        neighborhood nephew niece novel nurse office organization paid pain painting paintings
        parents paris park partner pasta pet pets phone photo photography photos piano pizza
        plants play poem poetry present price project promotion puppies puppy rabbit race recipe
        recipes restaurant ring river road run running salad school sculpture season series shoes
        shop show siblings sick sister skiing snake soccer son song songs soup spain spouse state
        store stress student studio surfing surgery sushi swimming tea teacher team teammates
        tennis theater therapist therapy thesis tickets tournament town trail training travel
        traveled travelling tree trip trophy twins uncle university vacation vegan vegetables
        vegetarian vet video violin volunteer volunteering watch wedding weight wife wine work
        workout writer yoga york
    """,
    "fillers": """
        a about above after again against all also am an and any are as at be because been before
        being below between both but by can could d did do does doing don down during each few
        for from further had has have having he her here hers him his how i if in into is it its
        just ll m me might more most must my no nor not now of off on once only or other our ours
        out over own re s same shall she should so some such t than that the their theirs them
        then there these they this those through to too under until up us ve very was we were
        what when where which while who whom why will with would you your yours
    """,
}


def plant(index: WordIndex) -> npt.NDArray[np.uint8]:
    """Give the lexicon the first rows of an empty index; the categories of these rows.

    >>> int(np.bitwise_or.reduce(plant(WordIndex()))) == sum(CATEGORIES.values())
    True
    """
    category = _categories()
    rows = index.rows(np.array(list(category), dtype=np.uint64))
    table = np.zeros(len(index), dtype=np.uint8)
    table[rows] = list(category.values())
    return table


@cache
def _categories() -> dict[int, int]:
    """Hash the words once, however many histories there are."""
    category: dict[int, int] = {}
    for name, words in _WORDS.items():
        for word in word_hashes(words.split()):
            category[word] = category.get(word, 0) | CATEGORIES[name]
    return category

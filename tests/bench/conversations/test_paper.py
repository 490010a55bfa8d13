"""The published method against scikit-learn's own pipeline, text by text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.sparse import csr_array, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from bench.conversations.talks import conversation, plain
from lre.bench.conversations import paper
from lre.bench.conversations.contest import compete
from lre.bench.conversations.contestants import Plan
from lre.traces import Trace

SAYINGS = [
    "I moved to Oslo in May 2023.",
    "How is Ann?",
    "the of it",
    "Rex and Tom are 2 dogs; Rex barks",
    "Oslo is cold, Oslo is far",
]


def traces(count: int = 4) -> list[Trace]:
    """Each conversation has words of its own."""
    return [
        conversation(
            *[
                (f"s{number}", f"{SAYINGS[i * (number + 1) % 5]} w{number}", i % 3 == 1)
                for i in range(18)
            ]
        )
        for number in range(count)
    ]


def six(texts: Sequence[str]) -> list[list[float]]:
    size = len(texts)
    return [
        [
            i / size,
            1 / (size - i),
            float(np.log1p(len(text.split()))),
            float(sum(sign in "0123456789" for sign in text)),
            float("?" in text),
            float(sum(word[:1].isupper() for word in text.split())),
        ]
        for i, text in enumerate(texts)
    ]


def expected(held: Sequence[Trace], test: int) -> list[float]:
    texts = [[entry["content"] for entry in trace.messages] for trace in held]
    train = [place for place in range(len(held)) if place != test]
    cited = [{i for one in trace.questions for i in one.evidence} for trace in held]
    taken = [i in cited[place] for place in train for i in range(len(texts[place]))]
    tfidf, standard = TfidfVectorizer(stop_words="english", max_features=10_000), StandardScaler()
    terms = tfidf.fit_transform([text for place in train for text in texts[place]])
    dense = standard.fit_transform([row for place in train for row in six(texts[place])])
    model = LogisticRegression(C=1, class_weight="balanced", max_iter=1000)
    model.fit(hstack([terms, csr_array(dense)]).tocsr(), taken)
    columns = [tfidf.transform(texts[test]), csr_array(standard.transform(six(texts[test])))]
    found: list[float] = model.predict_proba(hstack(columns).tocsr())[:, 1].tolist()
    return found


@pytest.mark.parametrize("test", [0, 3])
def test_scores_are_those_of_the_plain_pipeline(test: int) -> None:
    held = traces()
    _, (ranked,) = compete(held, Plan(["lre-paper"], "mine", "estimate"), 1, None)
    assert ranked.scores[test].tolist() == pytest.approx(expected(held, test), abs=1e-3)


def test_no_more_terms_than_allowed_the_most_frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one term, "oslo", the turns without it differ by their six features alone."""
    monkeypatch.setattr(paper, "_TERMS", 1)
    texts = ["oslo oslo tea", "oslo rex", "tea", "rex"] * 3
    turns = [("s", text, i % 2 == 0) for i, text in enumerate(texts)]
    held = [conversation(*turns), conversation(*turns, ("s", "more", False))]
    sheets, _ = compete(held, Plan(["fifo"], "mine", "estimate"), 1, None)
    corpus = paper.Corpus(sheets)
    fitted = paper._Fitted(corpus.counts, np.zeros((5, 6)), np.arange(5) % 2 == 0)
    scores = fitted.probabilities(corpus.counts[corpus.rows[0]], np.zeros((12, 6)))
    assert scores[2] == scores[3]
    assert scores[0] != scores[2]


def test_a_text_that_comes_again_is_counted_once() -> None:
    sheets, _ = compete(
        [conversation(*plain(0)), conversation(*plain(0))], Plan(["fifo"], "mine"), 1, None
    )
    corpus = paper.Corpus(sheets)
    assert corpus.counts.shape[0] == 24
    assert corpus.rows[0].tolist() == corpus.rows[1].tolist() == list(range(24))

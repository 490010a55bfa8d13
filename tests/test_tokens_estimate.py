"""The estimate: near the exact number and rarely below it, whatever the script."""

from __future__ import annotations

import base64
import json
import random
import uuid
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lre.tokens.estimate import _BYTE, _KIND, _STEP, BLOCK, KINDS, Estimate
from lre.tokens.exact import BytePairs

PARAGRAPHS = {
    "english": "The parcel left the warehouse on Monday, but the tracking page still says that a "
    "label was made. If nothing changes by tomorrow, please open a claim with the carrier and tell "
    "the customer that a replacement will be sent at once, free of charge and by express. ",
    "chinese": "包裹星期一已经离开仓库，但是物流页面仍然显示标签刚刚生成。如果明天还没有变化，"
    "请联系运输公司提出索赔，并告诉客户我们会立即免费寄出替换的商品。另外，请检查付款记录是否正确，"
    "因为上个月的账单中有两笔重复的费用，需要在本周内退还给客户。",
    "japanese": "荷物は月曜日に倉庫を出ましたが、追跡ページにはまだラベルが作成されたとだけ表示"
    "されています。明日までに変わらなければ、運送会社に連絡して、お客様には代わりの商品をすぐに"
    "無料でお送りするとお伝えください。また、先月の請求書に重複した料金が二つあります。",
    "korean": "소포는 월요일에 창고를 떠났지만 배송 조회 페이지에는 아직 라벨이 만들어졌다고만 "
    "나옵니다. 내일까지 바뀌지 않으면 운송 회사에 문의하고 고객에게 새 상품을 바로 무료로 보내 "
    "드리겠다고 알려 주세요. 지난달 청구서에 중복된 요금이 두 건 있습니다. ",
    "russian": "Посылка покинула склад в понедельник, но на странице отслеживания по-прежнему "
    "указано, что создана только наклейка. Если завтра ничего не изменится, обратитесь к "
    "перевозчику и сообщите покупателю, что замена будет отправлена немедленно и бесплатно. ",
    "arabic": "غادر الطرد المستودع يوم الاثنين، لكن صفحة التتبع ما زالت تقول إن الملصق قد أنشئ "
    "فقط. إذا لم يتغير شيء حتى الغد، فيرجى التواصل مع شركة الشحن وإبلاغ العميل بأننا سنرسل بديلا "
    "فورا ومجانا. ويرجى أيضا التحقق من فاتورة الشهر الماضي لأن فيها رسوما مكررة. ",
    "emoji": "Great news 🎉🎉 your order is on its way 🚚💨 thanks for your patience 🙏😊 "
    "see you soon 👋❤️ and do not forget to rate us ⭐⭐⭐⭐⭐ 😍👍🏽 🔥🔥 "
    "questions? 🤔💬 we are here all day ☀️🌙 ",
    "python": "class Orders:\n    def find(self, order_id: int) -> Order | None:\n"
    '        """Look an order up."""\n        for order in self._orders:\n'
    "            if order.order_id == order_id and not order.cancelled:\n"
    "                return order\n        return None\n\n",
}


def generated() -> Iterator[tuple[str, str]]:
    rng = random.Random(5)
    yield "base64", base64.b64encode(rng.randbytes(900)).decode()
    yield "hex", rng.randbytes(500).hex()
    yield "digits", "".join(rng.choices("0123456789", k=900))
    yield "uuids", "\n".join(str(uuid.UUID(bytes=rng.randbytes(16))) for _ in range(20))
    records = [{"order_id": rng.randrange(10**6), "total": rng.random(), "paid": True}] * 12
    yield "json", json.dumps(records)
    yield "indented json", json.dumps(records, indent=4)


TEXTS = {**{name: text * 2 for name, text in PARAGRAPHS.items()}, **dict(generated())}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_of_any_kind_is_not_undercounted_by_more_than_five_percent(name: str) -> None:
    (estimated,), (exact,) = (c.count([TEXTS[name]]) for c in (Estimate(), BytePairs("o200k")))
    assert 0.95 * exact <= estimated <= (1.6 if name == "chinese" else 1.3) * exact


def test_over_all_kinds_the_estimate_is_at_most_a_fifth_too_high() -> None:
    texts = list(TEXTS.values())
    ratios = zip(Estimate().count(texts), BytePairs("o200k").count(texts), strict=True)
    mean = sum(estimated / exact for estimated, exact in ratios) / len(texts)
    assert 1.0 <= mean <= 1.2


def test_every_price_table_is_whole() -> None:
    assert len(_KIND) == len(_STEP) == len(_BYTE) == 256
    assert max(_KIND) == 15
    assert len(KINDS) == 15
    assert not any(_STEP[kind << 4] for kind in range(16)), "what follows a text is free"


@given(st.lists(st.text(max_size=9), min_size=1, max_size=5), st.integers(0, 7))
def test_a_text_longer_than_a_block_costs_what_it_costs_alone(words: list[str], at: int) -> None:
    long = "x" * (BLOCK - at) + "日本" * 9
    batch = [*words, long, *words]
    assert Estimate().count(batch) == [Estimate().count([text])[0] for text in batch]


def test_twice_the_text_costs_twice_as_much() -> None:
    once, twice = Estimate().count(["ab, 12\n" * 50_000, "ab, 12\n" * 100_000])
    assert abs(twice - 2 * once) <= 2

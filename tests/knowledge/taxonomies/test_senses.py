from taciturn.knowledge import ContextCounts
from taciturn.knowledge.taxonomies import Concept, PackedTaxonomy, build_taxonomy
from taciturn.knowledge.taxonomies.senses import neighbours, rank_senses

CONCEPTS = [
    Concept("slope", "slope"),
    Concept("river bank", "bank", ("slope",), (("bank", 0), ("riverside", 0))),
    Concept("institution", "institution"),
    Concept("money bank", "bank", ("institution",), (("bank", 1),)),
    Concept("lender", "lender", ("institution",)),
]
TREE = PackedTaxonomy("t", build_taxonomy(CONCEPTS, str.lower))
COUNTS = ContextCounts(
    [{"loan", "lender"}] * 5 + [{"loan", "institution"}] * 3 + [{"river", "slope"}] * 5 + [{"table"}] * 20
)


def chosen(context: set[str]) -> list[str]:
    return [TREE.parents(n)[0].label for n in rank_senses(TREE, "bank", context, COUNTS, prior=0.1)]


def test_the_context_decides() -> None:
    assert chosen({"loan", "bank"}) == ["institution", "slope"]
    assert chosen({"river"}) == ["slope", "institution"]


def test_without_evidence_the_order_stays() -> None:
    assert chosen(set()) == chosen({"bank"}) == chosen({"zyx"}) == ["slope", "institution"]
    assert rank_senses(TREE, "unknown", {"loan"}, COUNTS) == ()


def test_neighbours_are_what_is_around() -> None:
    money = TREE.sense_numbers("bank")[1]
    assert neighbours(TREE, money) == {"bank": 1, "institution": 1, "lender": 0.6}

"""Drugs under what they are for, by the stems of their names.

International nonproprietary names end, or begin, in stems that the World Health Organization gives to classes of drugs:
-navir, -statin, cef-. The classes and their stems are below. A drug without a stem that WordNet knows as a drug is left
to WordNet, which places it ("heroin", "warfarin"); any other one is a drug and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from taciturn.knowledge.taxonomies import Concept
from training.taxonomies.curate import Curator

__all__ = ["CLASSES", "class_of", "concepts"]

# class: what is above it: its stems (-ending, beginning-, or a whole name)
CLASSES = """
antimicrobial drug: drug:
antiviral drug: antimicrobial drug: -vir -ovir -ciclovir -cyclovir -vudine amantadine rimantadine
antiretroviral drug: antiviral drug: tenofovir-
nucleoside reverse transcriptase inhibitor: antiretroviral drug: zidovudine lamivudine stavudine abacavir didanosine \
zalcitabine emtricitabine
non-nucleoside reverse transcriptase inhibitor: antiretroviral drug: -virine efavirenz nevirapine
HIV protease inhibitor: antiretroviral drug: -navir
integrase inhibitor: antiretroviral drug: -tegravir
HIV entry inhibitor: antiretroviral drug: -viroc enfuvirtide ibalizumab fostemsavir
hepatitis C drug: antiviral drug: -asvir -buvir -previr
flu drug: antiviral drug: -amivir baloxavir-
antibiotic: antimicrobial drug: -mycin -oxacin
penicillin: antibiotic: -cillin
cephalosporin: antibiotic: cef- ceph-
macrolide antibiotic: antibiotic: -thromycin
tetracycline antibiotic: antibiotic: -cycline
aminoglycoside antibiotic: antibiotic: -micin -amicin amikacin streptomycin neomycin tobramycin
fluoroquinolone antibiotic: antibiotic: -floxacin
carbapenem antibiotic: antibiotic: -penem
sulfonamide antibiotic: antibiotic: sulfa- sulfi-
rifamycin antibiotic: antibiotic: rifa-
oxazolidinone antibiotic: antibiotic: -zolid
antifungal drug: antimicrobial drug: -conazole -fungin -nafine nystatin amphotericin-
antiparasitic drug: antimicrobial drug: -bendazole -nidazole -ectin
antimalarial drug: antiparasitic drug: -oquine -quine arte- artemisinin proguanil quinine
tuberculosis drug: antimicrobial drug: isoniazid ethambutol pyrazinamide bedaquiline
heart and circulation drug: drug: digoxin
ACE inhibitor: heart and circulation drug: -pril -prilat
angiotensin receptor blocker: heart and circulation drug: -sartan
beta blocker: heart and circulation drug: -olol -alol
calcium channel blocker: heart and circulation drug: -dipine verapamil diltiazem
alpha blocker: heart and circulation drug: -azosin
diuretic: heart and circulation drug: -thiazide -semide -tanide spironolactone eplerenone
cholesterol drug: heart and circulation drug: -fibrate ezetimibe
statin: cholesterol drug: -vastatin
blood thinner: heart and circulation drug: -parin -xaban -gatran -arol warfarin
antiplatelet drug: blood thinner: -grel -grelor
antiarrhythmic drug: heart and circulation drug: -arone -ilide flecainide
psychiatric drug: drug: -spirone
antidepressant: psychiatric drug: bupropion mirtazapine trazodone
SSRI antidepressant: antidepressant: -oxetine -talopram sertraline fluvoxamine
SNRI antidepressant: antidepressant: -faxine duloxetine
tricyclic antidepressant: antidepressant: -triptyline -ipramine doxepin
antipsychotic: psychiatric drug: -peridol -peridone -piprazole -tiapine -zapine -promazine -thixene lurasidone
mood stabilizer: psychiatric drug: lithium-
stimulant: psychiatric drug: -amfetamine -amphetamine methylphenidate modafinil
sedative: drug: -barbital zopiclone eszopiclone -pidem
benzodiazepine: sedative: -azepam -azolam chlordiazepoxide
neurological drug: drug:
antiepileptic drug: neurological drug: -toin -racetam -gabalin gabapentin lamotrigine topiramate carbamazepine valpro-
migraine drug: neurological drug: -triptan -gepant
Parkinson's drug: neurological drug: -dopa -giline -capone pramipexole ropinirole
dementia drug: neurological drug: donepezil rivastigmine galantamine memantine
painkiller: drug: paracetamol acetaminophen
opioid painkiller: painkiller: -codone -morphone -fentanil -fentanyl morphine codeine tramadol tapentadol oxycodone
NSAID painkiller: painkiller: -profen -coxib -fenac -oxicam aspirin naproxen indomethacin ketorolac
opioid dependence drug: drug: methadone buprenorphine naltrexone naloxone
alcohol dependence drug: drug: disulfiram acamprosate
anesthetic: drug: propofol ketamine
local anesthetic: anesthetic: -caine
general anesthetic: anesthetic: -flurane
diabetes drug: drug: -gliptin -gliflozin -glitazone -glutide -natide -glinide -formin gli- glyburide insulin-
stomach drug: drug:
proton pump inhibitor: stomach drug: -prazole
H2 blocker: stomach drug: -tidine
nausea drug: stomach drug: -setron metoclopramide domperidone
allergy drug: drug: -atadine -irizine fexofenadine diphenhydramine
respiratory drug: drug: -lukast theophylline
bronchodilator: respiratory drug: -terol -tropium albuterol salbutamol
corticosteroid: drug: -methasone -sonide -nisone -nisolone -cinolone -cortisone
hormone drug: drug: levothyroxine -relin
estrogen: hormone drug: estr- -estradiol
progestin: hormone drug: -gestrel -gestrol -gesterone norethindrone
androgen: hormone drug: testosterone- -bolone
breast cancer drug: cancer drug: -trozole tamoxifen fulvestrant
prostate cancer drug: cancer drug: -lutamide abiraterone
cancer drug: drug: -rubicin -taxel -platin -mustine -trexed -zomib -parib -ciclib -tecan -citabine vin- -fosfamide
kinase inhibitor: cancer drug: -tinib -rafenib
antibody drug: drug: -mab
vaccine: drug: vaccine
immunosuppressant: drug: -limus -imus azathioprine mycophenolate- cyclosporine ciclosporin
interferon: drug: interferon-
osteoporosis drug: drug: -dronate
gout drug: drug: -xostat allopurinol colchicine
erectile dysfunction drug: drug: -enafil -dalafil
muscle relaxant: drug: -curonium baclofen cyclobenzaprine tizanidine
contrast agent: drug: gado- -opamidol -ohexol
"""
_LEGIBLE = re.compile(r"[A-Za-z][A-Za-z' -]*(?: \d{1,3})?")
_SHORTEST = 5  # letters of a name before its stem says anything
_SKIPPED = re.compile(
    r"\b(protein|receptor|antigen|factor|kinase|pollen|extract|oil|acid|ion|food|allergenic|flower|seed|root|leaf)s?\b"
)


def _table() -> tuple[dict[str, str], list[tuple[str, str]]]:
    above, stems = {}, []
    for line in CLASSES.replace("\\\n", "").strip().splitlines():
        name, parent, listed = (part.strip() for part in line.split(":"))
        above[name] = parent
        stems += [(stem, name) for stem in listed.split()]
    return above, sorted(stems, key=lambda s: (s[0].count("-"), -len(s[0])))


_ABOVE, _STEMS = _table()


def class_of(name: str) -> str | None:
    """The class of a drug by its name: a whole name before a stem, a long stem before a short one.

    >>> class_of("zidovudine"), class_of("atorvastatin"), class_of("water")
    ('nucleoside reverse transcriptase inhibitor', 'statin', None)
    """
    words = name.lower().split()
    for stem, drug_class in _STEMS:
        bare = stem.strip("-")
        for word in words:
            stemmed = word.endswith(bare) if stem[0] == "-" else "-" in stem and word.startswith(bare)
            if word == bare or (stemmed and len(word) >= max(_SHORTEST, len(bare) + 2)):
                return drug_class
    return None


def concepts(data: Mapping[str, Any], curator: Curator) -> Iterator[Concept]:
    """Classes, then drugs: what DrugBank, MedlinePlus or the NHS lists under a name that people can read."""
    yield Concept("substance", "substance")
    yield Concept("drug", "drug", ("substance",), (("medication", 0), ("medicine", 0)))
    for name, parent in _ABOVE.items():
        yield Concept(name, name, (parent,))
    details = data["drug_canonical_to_data"]
    variants: dict[str, list[str]] = {}
    for variant, drugs in data["drug_variant_to_canonical"].items():
        if len(drugs) == 1:
            variants.setdefault(drugs[0], []).append(variant)
    for drug, names in variants.items():
        if made_of := _components(drug):
            # A combination is whatever its components are: its brand name says as much as they do.
            classes = tuple(dict.fromkeys(c for part in made_of if (c := class_of(part))))
            brands = tuple((n, 1) for n in names if _good(n) and curator.keeps(n, own=False, healing=True))
            if classes and brands:
                yield Concept(f"combination {drug}", brands[0][0], classes, brands)
    for drug, detail in details.items():
        listed = {"drugbank_id", "medline_plus_id", "nhs_url"} & set(detail)
        if not listed or not _good(drug) or len(drug) < 4:
            continue
        drug_class = class_of(drug)
        if curator.knows(drug) and not (drug_class and curator.keeps(drug, own=False, healing=True)):
            continue
        if curator.controlled(drug):
            continue
        names = {drug: 0}
        for name in variants.get(drug, ()):
            placed_better = not drug_class and curator.knows(name)
            if _good(name) and not placed_better and curator.keeps(name, own=False, healing=True):
                names.setdefault(name, 1)
        yield Concept(f"drug {drug}", drug, (drug_class or "drug",), tuple(names.items()))


def _components(drug: str) -> tuple[str, ...]:
    """The drugs that a combination is made of, none for a single drug.

    >>> _components("efavirenz, emtricitabine, and tenofovir")
    ('efavirenz', 'emtricitabine', 'tenofovir')
    """
    parts = tuple(p.strip() for p in re.split(r"/|,(?: and)?| and ", drug) if p.strip())
    return parts if len(parts) > 1 else ()


def _good(name: str) -> bool:
    return bool(_LEGIBLE.fullmatch(name)) and len(name.split()) <= 3 and not _SKIPPED.search(name)

"""Documents made from templates: letters, notes, lists and reports with names, dates and numbers drawn at random.

``templates.txt`` holds the documents. A slot such as ``{P1.s}`` is the surname of the first person, ``{D}`` a date,
``{ID}`` a number that somebody issued; slots that identify nobody (``{kin}``, ``{R}``) give variety. Names come from
the table with its frequencies: known, rare, and those that are words as well.
"""

from __future__ import annotations

import random
import re
from functools import lru_cache
from pathlib import Path

import numpy as np

from taciturn.language.people import GIVEN, SURNAME, clinical_table, name_table
from training.people.documents import CLASSES, Marked, name_pools

SLOT = re.compile(r"\{([A-Za-z0-9_.]+)\}")
MONTHS = "January February March April May June July August September October November December".split()
KIN = "wife husband daughter son sister brother mother father aunt uncle cousin niece nephew partner friend".split()
OCCUPATIONS = "teacher carpenter bus driver,clerk,nurse,retired farmer,student,cook,plumber,librarian".split(",")
HOLIDAYS = (
    "Easter Christmas,Christmas Eve,Labor Day,Halloween,Easter Monday,Thanksgiving,New Year's Day,Good Friday".split(
        ","
    )
)
NATIONS = "Polish Irish Mexican Somali Korean Turkish Welsh Greek Indian Haitian Samoan Cuban Swedish Kurdish".split()
ORG_HEADS = (
    "Hospital,Medical Center,Clinic,Care Home,Insurance,High School,Police Department,Freight,Logistics,College".split(
        ","
    )
)
STREETS = "Street,Road,Ave.,Avenue,Lane,Drive,Dr.,Blvd,Court,Way,Close,St.,Rd,Terrace".split(",")
HOUSES = "Old Mill,Old Rectory,Cottage,Granary,Elms,Lodge,Old Bakery,White House,Limes".split(",")
STATES = "TX NY CA MA OH FL WA GA IL PA".split()
MAKES = "scan,letter,statement,photo,claim,notes".split(",")


@lru_cache(maxsize=1)
def clinical_words() -> tuple[list[str], list[str], list[str]]:
    """Words of notes, words that occur with a capital only (drugs, devices), and abbreviations."""
    table, names = clinical_table(), name_table()
    words = [word for word in table.rows if word.isascii() and word.isalpha()]
    concepts, small, capital = table.figures(words).T
    unnamed = ~names.figures(words)[:, [GIVEN, SURNAME]].any(axis=1)
    long = np.array([len(word) > 4 for word in words])
    text = np.array(words, dtype=object)
    return (
        list(text[long & (small > 0.15)]),
        list(text[long & unnamed & (small == 0) & (concepts + capital > 0.08)]),
        list(text[~long & unnamed & (concepts + small + capital > 0.05)]),
    )


@lru_cache(maxsize=1)
def eponyms() -> list[str]:
    """Surnames that stand in names of medical concepts and in notes with a capital only."""
    table, names = clinical_table(), name_table()
    words = [word for word in table.rows if word.isalpha() and len(word) > 3]
    concepts, small, capital = table.figures(words).T
    surnames = names.figures(words)[:, SURNAME]
    chosen = (concepts + capital > 0.04) & (surnames > 0) & (small < 0.5 * (concepts + capital))
    return [word for word, good in zip(words, chosen, strict=True) if good]


def pick_word(words: list[str], chooser: random.Random) -> str:
    return chooser.choice(words).capitalize()


@lru_cache(maxsize=1)
def templates() -> list[str]:
    """The documents with their slots."""
    return Path(__file__).with_name("templates.txt").read_text("utf-8").split("\n====\n")


class _Filler:
    """The values of one document: the same person has the same name throughout."""

    def __init__(self, chooser: random.Random) -> None:
        self.chooser = chooser
        self.people: dict[str, tuple[str, str, str]] = {}
        family = self._name("surname")
        self.family = family

    def _name(self, role: str) -> str:
        pool = self.chooser.choices(name_pools()[role], (0.42, 0.33, 0.22, 0.03))[0]
        word = self.chooser.choice(pool)
        return word.capitalize()

    def person(self, number: str) -> tuple[str, str, str]:
        if number not in self.people:
            surname = self.family if self.chooser.random() < 0.25 else self._name("surname")
            if self.chooser.random() < 0.15:
                surname += self.chooser.choice("- ") + self._name("surname")
            sex = self.chooser.choice("mf")
            self.people[number] = (self._name("given"), surname, sex)
        return self.people[number]

    def digits(self, form: str) -> str:
        letters = "ABCDEFGHJKLMNPRSTVWXYZ"
        return "".join(
            str(self.chooser.randrange(10)) if c == "9" else self.chooser.choice(letters) if c == "A" else c
            for c in form
        )

    def fill(self, slot: str) -> tuple[str, str]:
        """The text of a slot and its class ("O": none)."""
        pick = self.chooser.choice
        if slot[0] == "P" and slot[1:2].isdigit():
            return self.name(slot)
        month = pick(MONTHS)
        day, number, year = (
            self.chooser.randrange(1, 29),
            self.chooser.randrange(1, 13),
            self.chooser.randrange(1940, 2025),
        )
        short = f"{year % 100:02}"
        match slot:
            case "D":
                return pick(
                    [
                        f"{number}/{day}/{year}",
                        f"{number:02}/{day:02}/{year}",
                        f"{number}/{day}/{short}",
                        f"{day} {month} {year}",
                        f"{month} {day}, {year}",
                        f"{year}-{number:02}-{day:02}",
                        f"{day:02}.{number:02}.{year}",
                        f"{day}-{month[:3]}-{year}",
                        f"{day:02}{month[:3].upper()}{short}",
                        f"{month[:3]} {day} '{short}",
                        f"{day:02}-{number:02}-{short}",
                    ]
                ), "DATE"
            case "DS":
                return pick(
                    [
                        f"{number}/{day}",
                        f"{number:02}/{day:02}",
                        f"{day}/{number}",
                        f"{number}-{day}",
                        f"{month[:3]} {day}",
                        f"{month} {day}",
                        f"{day} {month[:3]}",
                        f"{number:02}/{short}",
                        f"{day}.{number}.",
                    ]
                ), "DATE"
            case "DM":
                return pick(
                    [
                        f"{day} {month}",
                        f"{month} {day}",
                        f"{month} {year}",
                        f"{month[:3]}. {day}",
                        f"{month} of last year",
                        f"early {month}",
                        f"{month} of {year}",
                        f"last {month}",
                        f"{number:02}/{short}",
                    ]
                ), "DATE"
            case "M":
                return month, "DATE"
            case "O":
                return (
                    f"{day}{'st' if day in (1, 21) else 'nd' if day in (2, 22) else 'rd' if day in (3, 23) else 'th'}",
                    "DATE",
                )
            case "H":
                return pick(HOLIDAYS) + pick(["", "", f" {year}"]), "DATE"
            case "ID":
                return self.digits(
                    pick(
                        [
                            "9999999",
                            "99-99-99",
                            "AA-99999",
                            "A999999",
                            "AA/9999/999",
                            "999 999 999",
                            "99999",
                            "AAA-9999-99",
                            "A99-99999",
                            "AA99-999999",
                            "AA 99999",
                            "9999-A",
                        ]
                    )
                ), "ID"
            case "SSN":
                return self.digits("999-99-9999"), "ID"
            case "IBAN":
                return self.digits("AA99 AAAA 9999 9999 9999 99"), "ID"
            case "BADGE":
                return self.digits("9999"), "ID"
            case "PH":
                return self.digits(
                    pick(
                        [
                            "999-555-9999",
                            "(999) 555-9999",
                            "999.555.9999",
                            "01632 960 999",
                            "07700 900 999",
                            "+49 30 99999 99",
                            "+1 999 555 9999",
                            "555-9999",
                            "999 555 9999 x 99",
                        ]
                    )
                ), "PHONE"
            case "PG":
                return self.digits("9999"), "PHONE"
            case "VEH":
                return self.digits(pick(["AA99 AAA", "999-AAA", "9AAA999", "AA-999-AA", "AAA 9999"])), "VEHICLE"
            case "VIN":
                return self.digits("9AAAA99A9AA999999"), "VEHICLE"
            case "ZIP":
                return self.digits(pick(["99999", "99999-9999", "AA9 9AA", "A9A 9A9", "99999"])), "ZIP"
            case "A90":
                return pick([str(self.chooser.randrange(90, 104)), "ninety-two", "ninety"]), "AGE_OVER_89"
            case "ST" | "STL":
                number_of_house = self.digits(pick(["9", "99", "999"]))
                road = f"{self._name('surname')} {pick(STREETS)}"
                house = f"The {pick(HOUSES)}, {road}"
                numbered = f"{pick(['', 'Flat 3, ', ''])}{number_of_house} {road}"
                street = house if self.chooser.random() < 0.12 else numbered
                street += pick(["", "", ", Apt 4B", " #2", ", Suite 12", ", #4", " Apt. 9"])
                return (street.lower() if slot == "STL" else street), "STREET"
            case "CITY" | "CITYL":
                town = self._name("surname") + pick(
                    ["", " Falls", "ville", " Springs", "ton", " Bay", "ford", " Heights"]
                )
                return (town.lower() if slot == "CITYL" else town), "CITY"
            case "ORG":
                return f"{pick(['', 'St. ', ''])}{self._name('surname')} {pick(ORG_HEADS)}", "ORGANIZATION"
            case "USER":
                return (
                    f"{self._name('given')[0].lower()}{self._name('surname').lower()}{pick(['', '2', '_84', '07'])}",
                    "USERNAME",
                )
            case "HANDLE":
                return f"@{self._name('given').lower()}_{self.digits('99')}", "USERNAME"
            case "EMAIL":
                return (
                    f"{self._name('given').lower()}.{self._name('surname').lower()}@{self._name('surname').lower()}.example",
                    "EMAIL",
                )
            case "URL":
                return pick(
                    ["https://", "www.", ""]
                ) + f"{self._name('surname').lower()}.example/p/{self._name('given').lower()}", "URL"
            case "IP":
                return self.digits("192.0.2.99"), "IP"
            case "NAT":
                return pick(NATIONS), "NATIONALITY_OR_ETHNICITY"
        return self.medical(slot) or self.plain(slot), "O"

    def eponym(self) -> str:
        """A surname, more often one that names of medical concepts have as well."""
        return pick_word(eponyms(), self.chooser) if self.chooser.random() < 0.6 else self._name("surname")

    def medical(self, slot: str) -> str | None:
        """A word of medicine that identifies nobody. An eponym is any surname: only what stands around it tells."""
        pick = self.chooser.choice
        match slot:
            case "E":
                return self.eponym()
            case "EE":
                return f"{self.eponym()}-{self.eponym()}"
            case "C":
                return pick(clinical_words()[0]).capitalize()
            case "c":
                return pick(clinical_words()[0])
            case "RX":
                return pick(clinical_words()[1]).capitalize()
            case "ab":
                return pick(clinical_words()[2])
            case "AB":
                return pick(clinical_words()[2]).upper()
            case "V":
                return pick(name_pools()["given"][2])  # names that are words as well, in small letters
        return None

    def plain(self, slot: str) -> str:
        """What identifies nobody."""
        pick, number = self.chooser.choice, self.chooser.randrange
        return {
            "kin": pick(KIN),
            "occ": pick(OCCUPATIONS),
            "A": str(number(18, 89)),
            "N": str(number(1, 30)),
            "RAT": pick([f"1/{number(2, 12)}", "3/4", "1:40", "1/20", "1/2"]),
            "LAB": f"{number(1, 20)}.{number(0, 10)}",
            "RNG": f"{number(1, 90)}-{number(91, 200)}",
            "DOSE": f"{number(1, 12) * 25}/{number(1, 10) * 25}",
            "SC": f"{number(1, 11)}/10",
            "BIG": f"{number(200, 999)}",
            "R": pick(["4/5", "5/5", "3/5", "2/4"]),
            "F": pick(["500/125", "25/100", "1/2 tablet"]),
            "B": f"{number(95, 180)}/{number(50, 100)}",
            "T": f"{number(0, 24):02}:{number(0, 60):02}",
            "T4": f"{number(0, 24):02}{number(0, 60):02}",
            "W": pick(["Monday", "Tuesday", "Friday", "Sunday"]),
            "STATE": pick(STATES),
        }[slot]

    def name(self, slot: str) -> tuple[str, str]:
        """A form of a person's name, or a word about the person."""
        number, _, form = slot.partition(".")
        given, surname, sex = self.person(number)
        initial, last = given[0], surname[0]
        man = sex == "m"
        words = {
            "t": self.chooser.choice(["Mr.", "Mr"] if man else ["Ms.", "Mrs.", "Mrs", "Miss"]),
            "t2": "Mr." if man else "Ms.",
            "tl": "mr" if man else "mrs",
            "his": "his" if man else "her",
            "his_c": "His" if man else "Her",
            "him": "him" if man else "her",
        }
        if form in words:
            return words[form], "O"
        return {
            "": f"{given} {surname}",
            "g": given,
            "s": surname,
            "S": surname.upper(),
            "G": given.upper(),
            "gl": given.lower(),
            "sl": surname.lower(),
            "sg": f"{surname}, {given}",
            "sg2": f"{surname}, {given}",
            "SG": f"{surname}, {given}".upper(),
            "SG0": f"{surname},{given} {last}".upper(),
            "i": f"{initial}. {surname}",
            "il": f"{initial}. {surname}".lower(),
            "ii": f"{initial}{last}".upper(),
            "ii2": f"{initial}{last}".lower(),
            "iii": f"{initial}{last}{initial}".upper(),
            "U": f"{given} {surname}".upper(),
            "IU": f"{initial}. {surname}".upper(),
            "I": initial.upper(),
            "dots": f"{initial}.{last}.".upper(),
            "s_i": f"{last}.",
            "awr": f"{initial}{self.chooser.choice('abcdehjklmprstw')}{last}".lower(),
            "SI": f"{surname} {initial}".upper(),
            "sI": f"{surname} {initial}",
            "sdot": f"{surname}, {initial}.",
            "split": f"{surname[: len(surname) // 2]}-\n{surname[len(surname) // 2 :]}"
            if surname.isalpha()
            else surname,
            "nick": f"{given} ({given[:3]}) {surname}",
            "short": given[:3] if len(given) > 4 else given,
            "suf": f"{given} {surname}{self.chooser.choice([' Sr.', ' Jr.', ', III', ' II', ', Jr.'])}",
            "mid": f"{given} {self.chooser.choice('ABCDEHJLMRST')}. {surname}",
            "von": f"{self.chooser.choice(['v.', 'de', 'van der', 'al', 'ap', 'bin', 'von', 'da'])} {surname}",
            "file": f"{surname}".lower().replace(" ", ""),
            "pair": f"{initial}.{last}.",
        }[form], "PERSON"


def made(count: int, chooser: random.Random) -> list[Marked]:
    """Documents from the templates, one after the other, with values drawn anew each time."""
    found = []
    for number in range(count):
        template = templates()[number % len(templates())].strip("\n")
        filler = _Filler(chooser)
        text, spans, at = "", [], 0
        for slot in SLOT.finditer(template):
            text += template[at : slot.start()]
            if slot[1] == "FILE":
                stem, name = chooser.choice(MAKES), filler.person("P1")[1].replace(" ", "")
                date = filler.digits("20230999")
                spans.append((len(text), len(text) + len(name), CLASSES.index("PERSON")))
                start = len(text) + len(name) + len(stem) + 2
                spans.append((start, start + len(date), CLASSES.index("DATE")))
                text += f"{name}_{stem}_{date}.pdf"
            else:
                value, label = filler.fill(slot[1])
                if label != "O":
                    spans.append((len(text), len(text) + len(value), CLASSES.index(label)))
                text += value
            at = slot.end()
        text += template[at:]
        found.append(Marked(f"m{number}", "template", text, tuple(spans)))
    return found

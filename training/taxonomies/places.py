"""Places: city, county, state, country, continent. A place lies deeper than 3 exactly if it is smaller than a state.

GeoNames gives cities with their population and the code of their state; the names of states and counties come from the
nearest row of the older list that carries them, states by majority over a code's cities.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from taciturn.knowledge.taxonomies import Concept

__all__ = ["concepts"]

_CONTINENTS = {
    "AF": "Africa",
    "AN": "Antarctica",
    "AS": "Asia",
    "EU": "Europe",
    "NA": "North America",
    "OC": "Oceania",
    "SA": "South America",
}
_ALSO = {
    "US": ("USA", "US", "U.S.", "U.S.A.", "United States of America"),
    "GB": ("UK", "U.K.", "Great Britain", "Britain"),
    "NL": ("Holland",),
    "CZ": ("Czech Republic",),
    "AE": ("UAE",),
}
_ENGLISH = frozenset({"GB", "CA", "AU", "IE", "NZ"})  # smaller places count where English is written
_FRANCE = {  # regions since 2016, newer than the older list
    "11": "Île-de-France",
    "24": "Centre-Val de Loire",
    "27": "Bourgogne-Franche-Comté",
    "28": "Normandy",
    "32": "Hauts-de-France",
    "44": "Grand Est",
    "52": "Pays de la Loire",
    "53": "Brittany",
    "75": "Nouvelle-Aquitaine",
    "76": "Occitanie",
    "84": "Auvergne-Rhône-Alpes",
    "93": "Provence-Alpes-Côte d'Azur",
    "94": "Corsica",
}
_MOST = 10**10
Row = Mapping[str, Any]


def concepts(
    countries: Mapping[str, Row], official: Iterable[Row], cities: Iterable[Row], older: str, states: Mapping[str, Row]
) -> Iterator[Concept]:
    """Every place of note; where a name is shared, the place with more people comes first."""
    yield Concept("place", "place")
    for code, name in _CONTINENTS.items():
        yield Concept(code, name, ("place",))
    names = {row["alpha_2"]: row for row in official}
    for code, country in countries.items():
        listed = names.get(code, {})
        also = [listed[k] for k in ("common_name", "official_name") if k in listed]
        also += _ALSO.get(code, ())
        rank = _MOST - country["population"]
        yield _place(f"country {code}", country["name"], country["continentcode"], also, rank)
    near = _Nearest(older)
    kept = [c for c in cities if _of_note(c) and c["countrycode"] in countries]
    found = [near.to(c) for c in kept]
    state_names = _state_names(kept, found)
    state_names |= {("US", code): row["name"] for code, row in states.items()}
    state_names |= {("FR", code): name for code, name in _FRANCE.items()}
    people: Counter[tuple[str, ...]] = Counter()
    for city, row in zip(kept, found, strict=True):
        country, code = city["countrycode"], city["admin1code"]
        people[country, code] += city["population"]
        if _county(country, row, state_names.get((country, code))):
            people[country, code, row["admin2"]] += city["population"]
    for where, n in people.items():
        id_ = ".".join(where)
        label = state_names.get((where[0], where[1])) if len(where) == 2 else where[2]
        above = f"country {where[0]}" if len(where) == 2 else ".".join(where[:2])
        if label:
            yield _place(id_, label, above, (), _MOST - n)
    for city, row in zip(kept, found, strict=True):
        country, code = city["countrycode"], city["admin1code"]
        state = state_names.get((country, code))
        above = f"{country}.{code}" if state else f"country {country}"
        if _county(country, row, state):
            above += f".{row['admin2']}"
        also = [city["name"].removesuffix(" City")] if city["name"].endswith(" City") else []
        also = [a for a in also if a in city["alternatenames"]]
        yield _place(str(city["geonameid"]), city["name"], above, also, _MOST - city["population"])


def _of_note(city: Row) -> bool:
    country = city["countrycode"]
    least = 1_000 if country == "US" else 5_000 if country in _ENGLISH else 15_000
    return bool(city["population"] >= least)


def _county(country: str, row: Row | None, state: str | None) -> bool:
    return bool(country == "US" and row and row["admin2"] and row["admin1"] == state)


def _place(id_: str, name: str, above: str, also: Iterable[str], rank: int) -> Concept:
    names = dict.fromkeys([name, *also])
    names |= dict.fromkeys(_plain(n) for n in list(names))
    return Concept(id_, name, (above,), tuple((n, rank) for n in names))


def _plain(name: str) -> str:
    """A name without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def _state_names(cities: list[Row], found: list[Row | None]) -> dict[tuple[str, str], str]:
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for city, row in zip(cities, found, strict=True):
        if row and row["admin1"]:
            votes[city["countrycode"], city["admin1code"]][row["admin1"]] += 1
    return {where: max(sorted(names), key=names.__getitem__) for where, names in votes.items()}


class _Nearest:
    """The row of the older list nearest to a city, within half a degree and the same country."""

    def __init__(self, older: str) -> None:
        self._cells: dict[tuple[str, int, int], list[tuple[float, float, Row]]] = defaultdict(list)
        for row in csv.DictReader(io.StringIO(older)):
            lat, lon = float(row["lat"]), float(row["lon"])
            self._cells[row["cc"], round(lat), round(lon)].append((lat, lon, row))

    def to(self, city: Row) -> Row | None:
        lat, lon, country = city["latitude"], city["longitude"], city["countrycode"]
        best, at = None, 0.25
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                for y, x, row in self._cells.get((country, round(lat) + i, round(lon) + j), ()):
                    away = (y - lat) ** 2 + (x - lon) ** 2
                    if away < at:
                        best, at = row, away
        return best

"""Names to write in the place of names: faker's lists (MIT) by locale, sex and part of the name.

    python -m training.people.cultures --faker FOLDER

Writes src/taciturn/language/en/cultures.npz: for each locale the given names of women and of men and the surnames, the
most frequent first where the list has weights, single words only. The files are parsed and never run.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from training.people.names import HERE, listed_of

MOST = 400  # names of one list
LEAST = 8  # a shorter list would link people


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faker", type=Path, required=True, help="the folder of the unpacked package faker")
    parser.add_argument("--output", type=Path, default=HERE / "src" / "taciturn" / "language" / "en" / "cultures.npz")
    options = parser.parse_args()
    lines = []
    for folder in sorted(file.parent for file in (options.faker / "providers" / "person").glob("*/__init__.py")):
        parts: dict[str, dict[str, float]] = defaultdict(dict)
        for name, target, weight in listed_of(folder / "__init__.py"):
            if len(name.split()) == 1 and len(name) > 1 and name[0].isalpha() and not name[0].islower():
                role = "s" if "last" in target or "sur" in target else "f" if "female" in target else "m"
                if role == "m" and "_male" not in target:
                    continue
                parts[role].setdefault(name, weight)
        if all(len(parts[role]) >= LEAST for role in "fms"):
            for role in "fms":
                names = sorted(parts[role], key=lambda name: (-parts[role][name], name))[:MOST]
                lines.append(f"{folder.name}\t{role}\t{' '.join(names)}")
    joined = np.frombuffer("\n".join(lines).encode("utf-8"), np.uint8)
    np.savez_compressed(options.output, lists=joined)
    print(f"{len(lines) // 3} locales, {options.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Files: read what people have, release it, leak nothing.

>>> from tacit import formats
>>> from tacit.plan import Edit, Plan, apply
>>> file = formats.read(b"He has AIDS.", "note.txt")
>>> formats.write(file, apply(Plan(file.document, (Edit(7, 11, "AIDS", "a disease"),))))
b'He has a disease.'
"""

from tacit.formats.atomic import write_whole
from tacit.formats.base import FormatError, Leak, LeakError, LimitError, Limits, Options
from tacit.formats.file import File, Inventory, leaks, read, write
from tacit.formats.sweep import Removed, removed

__all__ = [
    "File",
    "FormatError",
    "Inventory",
    "Leak",
    "LeakError",
    "LimitError",
    "Limits",
    "Options",
    "Removed",
    "leaks",
    "read",
    "removed",
    "write",
    "write_whole",
]

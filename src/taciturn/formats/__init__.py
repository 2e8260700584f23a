"""Files: read what people have, release it, leak nothing.

>>> from taciturn import formats
>>> from taciturn.plan import Edit, Plan, apply
>>> file = formats.read(b"He has AIDS.", "note.txt")
>>> formats.write(file, apply(Plan(file.document, (Edit(7, 11, "AIDS", "a disease"),))))
b'He has a disease.'
"""

from taciturn.formats.atomic import Output, write_together, write_whole
from taciturn.formats.base import FormatError, Leak, LeakError, LimitError, Limits, Options
from taciturn.formats.file import File, Inventory, leaks, read, write
from taciturn.formats.rows import Rows, read_rows
from taciturn.formats.sweep import Removed, removed

__all__ = [
    "File",
    "FormatError",
    "Inventory",
    "Leak",
    "LeakError",
    "LimitError",
    "Limits",
    "Options",
    "Output",
    "Removed",
    "Rows",
    "leaks",
    "read",
    "read_rows",
    "removed",
    "write",
    "write_together",
    "write_whole",
]

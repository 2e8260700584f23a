"""What work that takes long needs: a bar that says how much is done, and room on the disc for what waits."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from taciturn.cli.common import people
from taciturn.errors import FormatError
from taciturn.formats.detect import TABLE_SUFFIXES

__all__ = ["bar", "room_for"]

_LARGE = 8 * 2**20  # bytes of a table that is not kept in memory


@contextmanager
def bar(title: str) -> Iterator[Callable[[object], None]]:
    """A bar that shows what it is told: the share that is done, or the name of the step that is being done."""
    console = people()
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task(title, total=None, visible=False)

        def heard(value: object) -> None:
            if isinstance(value, float):
                progress.update(task, completed=value, total=1.0, visible=True)
            else:
                progress.update(task, description=f"{title}: {value}", visible=True)

        yield heard


@contextmanager
def room_for(path: str, target: Path | None) -> Iterator[Path | None]:
    """A folder beside the output for the rows of a large table, gone afterwards; None if it needs none. Text that may
    be sensitive is in no other folder."""
    source = Path(path)
    is_large = source.suffix.lower() in TABLE_SUFFIXES and source.is_file() and source.stat().st_size > _LARGE
    if target is None or not is_large or not target.parent.is_dir():
        yield None
        return
    folder = target.parent / f".{secrets.token_hex(8)}.taciturn"
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise FormatError(f"{str(target.parent)!r} cannot be written to: {error.strerror}; name another -o") from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)

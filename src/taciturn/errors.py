"""The errors of Taciturn: one base class and the few kinds that a caller tells apart.

Whatever Taciturn refuses on purpose is a :class:`TaciturnError`; anything else is a fault in the program. A message
quotes the value, says what is wrong with it and what to do. More special errors stand beside the code that raises them
and derive from one of these kinds. Where a kind is a ``ValueError`` or a ``RuntimeError`` as well, code that catches
those keeps working.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taciturn.certificate import Certificate

__all__ = ["FormatError", "InputError", "KnowledgeError", "NotReleasedError", "PolicyError", "TaciturnError"]


class TaciturnError(Exception):
    """Something that Taciturn will not or cannot do; the base of all its errors.

    >>> import taciturn
    >>> try:
    ...     taciturn.sanitize("He has AIDS.", "hipaa-safe")
    ... except taciturn.TaciturnError as error:
    ...     print(error)
    'hipaa-safe' is no preset, and no policy file can be read there ...; did you mean 'hipaa-safe-harbor'?
    """

    private: tuple[str, ...] = ()
    """Lines that quote the document, for whoever has it before them: the command line shows them, a service never."""


class InputError(TaciturnError, ValueError):
    """A value that cannot be used: a parameter out of its range, a text that does not fit, a request without sense.

    >>> import taciturn
    >>> try:
    ...     taciturn.sanitize("He has AIDS.", [])
    ... except taciturn.InputError as error:
    ...     print(error)
    no model is given; a release without a guarantee is not one
    """


class PolicyError(InputError):
    """A policy that cannot be used; the message names the file, the line, the value and what to write instead.

    >>> issubclass(PolicyError, InputError)
    True
    """


class FormatError(InputError):
    """A file that cannot be read, or not be released; the message says what to do.

    >>> from taciturn import formats
    >>> try:
    ...     formats.read(b"%PDF-1.7 and nothing more", "scan.pdf")
    ... except FormatError as error:
    ...     print(error)
    'scan.pdf' ...
    """


class KnowledgeError(TaciturnError):
    """Knowledge that cannot be used: a damaged pack, a file in another format, an index that does not answer, or an
    entity of which nothing is known.

    >>> import taciturn
    >>> try:
    ...     taciturn.Knowledge.open("no/such/pack")
    ... except KnowledgeError as error:
    ...     print(error)
    no/such/pack is not a pack: it has no manifest.json; ...
    """


class NotReleasedError(TaciturnError, RuntimeError):
    """No text could be found for which every guarantee holds. Nothing is released; ``certificate`` says what failed.

    >>> issubclass(NotReleasedError, TaciturnError)
    True
    """

    def __init__(self, message: str, certificate: Certificate) -> None:
        super().__init__(message, certificate)
        self.certificate = certificate

    def __str__(self) -> str:
        return str(self.args[0])

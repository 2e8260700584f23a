"""What Taciturn can be extended with: models, recognizers, knowledge sources and file formats, each by a name.

Whatever is registered under a name works everywhere that name is asked for: in Python, on the command line, in
policies, in the service and in review. There are three ways into a registry:

- what comes with Taciturn is listed as ``"module:object"`` and imported when it is used, so that start-up stays quick;
- a package that is installed declares an entry point in the registry's group (``taciturn.models``, ...);
- code that already runs registers with a decorator.

>>> models.names()[:2]
('c-sanitized', 'denied')
>>> models["c-sanitized"].__name__
'CSanitized'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from taciturn.errors import InputError

__all__ = ["Registry", "RegistryError", "formats", "knowledge", "models", "recognizers"]

T = TypeVar("T")
Registered = TypeVar("Registered")


class RegistryError(InputError):
    """A name that nothing is registered under, a name that is taken, or a plug-in that cannot be loaded."""


class Registry(Generic[T]):
    """Things of one kind by name. ``kind`` says in messages what they are; ``group`` is that of the entry points.

    >>> greetings: Registry[str] = Registry("greeting", "example.greetings", {"path": "os.path:sep"})
    >>> greetings.register("hello")("Hello!")
    'Hello!'
    >>> greetings["hello"], greetings["path"], greetings.names(), "helo" in greetings
    ('Hello!', '/', ('hello', 'path'), False)
    >>> greetings["helo"]
    Traceback (most recent call last):
    taciturn.registry.RegistryError: 'helo' is no greeting; did you mean 'hello'?
    """

    def __init__(self, kind: str, group: str, builtin: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self.group = group
        self._builtin = dict(builtin or {})
        self._loaded: dict[str, T] = {}
        self._installed: dict[str, EntryPoint] | None = None

    def register(self, name: str) -> Callable[[Registered], Registered]:
        """Register what the decorator stands on. The same name twice is refused, a reloaded module's own apart."""

        def put(thing: Registered) -> Registered:
            taken = self._builtin.get(name) or self._loaded.get(name)
            if taken is not None and _origin(taken) != _origin(thing):
                raise RegistryError(f"the {self.kind} {name!r} is registered already; choose another name")
            self._loaded[name] = thing  # type: ignore[assignment]
            return thing

        return put

    def unregister(self, name: str) -> None:
        """Forget what a decorator registered."""
        self._loaded.pop(name, None)

    def names(self) -> tuple[str, ...]:
        """All names in alphabetical order; nothing is loaded for it."""
        return tuple(sorted({*self._builtin, *self._loaded, *self._plugins()}))

    def __contains__(self, name: object) -> bool:
        return name in self._builtin or name in self._loaded or name in self._plugins()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> Any:
        if name in self._builtin:
            module, _, attribute = self._builtin[name].partition(":")
            return getattr(import_module(module), attribute)
        point = self._plugins().get(name)
        if point is None:
            names = self.names()
            near = get_close_matches(name, names, 1, 0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(names)}"
            raise RegistryError(f"{name!r} is no {self.kind}; {hint}")
        try:
            return point.load()
        except Exception as error:  # whatever a plug-in does wrong must not look like a fault of ours
            told = " ".join(str(error).split()) or "no message"
            raise RegistryError(
                f"the {self.kind} {name!r} of the plug-in {_package(point)!r} cannot be loaded "
                f"({type(error).__name__}: {told}); repair or uninstall the plug-in"
            ) from error

    def _plugins(self) -> dict[str, EntryPoint]:
        if self._installed is None:
            found: dict[str, EntryPoint] = {}
            for point in sorted(entry_points(group=self.group), key=lambda p: (p.name, _package(p), p.value)):
                if point.name in self._builtin or (point.name in found and found[point.name].value != point.value):
                    raise RegistryError(
                        f"the plug-in {_package(point)!r} brings the {self.kind} {point.name!r}, a name that is "
                        "taken; uninstall the plug-in or let it choose another name"
                    )
                found[point.name] = point
            self._installed = found
        return self._installed


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value.partition(":")[0]


def _origin(thing: object) -> str:
    """Where a thing is defined: "module:name"."""
    if isinstance(thing, str):
        return thing
    return f"{getattr(thing, '__module__', '')}:{getattr(thing, '__qualname__', repr(thing))}"


models: Registry[Any] = Registry(
    "model",
    "taciturn.models",
    {
        "c-sanitized": "taciturn.models.csanitized.model:CSanitized",
        "denied": "taciturn.models.denied:Denied",
        "indistinct": "taciturn.models.indistinct.model:Indistinct",
        "informative": "taciturn.models.informative:Informative",
        "k-anonymous": "taciturn.models.kanonymous.model:KAnonymous",
        "k-safe": "taciturn.models.ksafe.model:KSafe",
        "kinds": "taciturn.models.kinds.model:Kinds",
        "person-release": "taciturn.models.person.model:PersonRelease",
        "related": "taciturn.models.informative:Related",
        "t-plausible": "taciturn.models.tplausible.model:TPlausible",
    },
)
"""The privacy models: classes whose declaration (:mod:`taciturn.models.declare`) says what they can be asked."""

recognizers: Registry[Any] = Registry("recognizer", "taciturn.recognizers")
"""What finds a kind of span in a text."""

knowledge: Registry[Any] = Registry("knowledge source", "taciturn.knowledge")
"""What knows of the world: taxonomies, relations, counts, entity bases."""

formats: Registry[Any] = Registry("file format", "taciturn.formats")
"""What reads and writes a kind of file."""

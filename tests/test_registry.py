"""Registries: three ways in, faults in one line, nothing loaded before it is used."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from taciturn import registry
from taciturn.registry import Registry, RegistryError


def _with_points(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: EntryPoints(points).select(group=group))


def test_decorator_entry_point_and_builtin_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _with_points(monkeypatch, EntryPoint("join", "os.path:join", "a.group"), EntryPoint("x", "os:sep", "other"))
    things: Registry[object] = Registry("thing", "a.group", {"sep": "os.path:sep"})

    @things.register("mine")
    def mine() -> None: ...

    assert things.names() == ("join", "mine", "sep") == tuple(things)
    assert things["mine"] is mine
    assert things["sep"] == os.path.sep
    assert things["join"] is os.path.join
    assert "join" in things
    assert "x" not in things
    things.unregister("mine")
    assert "mine" not in things


def test_unknown_names_get_a_hint() -> None:
    with pytest.raises(RegistryError, match=r"'c-sanitised' is no model; did you mean 'c-sanitized'\?"):
        registry.models["c-sanitised"]
    with pytest.raises(RegistryError, match="'zzz' is no model; choose from c-sanitized, denied"):
        registry.models["zzz"]


def test_taken_names_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    things: Registry[object] = Registry("thing", "a.group", {"sep": "os.path:sep"})
    with pytest.raises(RegistryError, match="'sep' is registered already"):
        things.register("sep")(object())
    _with_points(monkeypatch, EntryPoint("sep", "os:sep", "a.group"))
    with pytest.raises(RegistryError, match="plug-in 'os' brings the thing 'sep', a name that is taken"):
        things.names()


def test_registering_a_class_again_when_its_module_is_reloaded() -> None:
    things: Registry[object] = Registry("thing", "no.group")
    for _ in range(2):

        @things.register("one")
        class One: ...

    assert things["one"] is One


@pytest.mark.parametrize("target", ["no_such_module_of_ours:thing", "os:no_such_name"])
def test_a_broken_plugin_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    _with_points(monkeypatch, EntryPoint("bad", target, "a.group"))
    things: Registry[object] = Registry("thing", "a.group")
    assert things.names() == ("bad",)  # asking for names loads nothing
    with pytest.raises(RegistryError, match=r"the thing 'bad' of the plug-in .* cannot be loaded") as caught:
        things["bad"]
    assert "\n" not in str(caught.value)


def test_every_builtin_model_loads_and_says_its_name() -> None:
    for name in registry.models.names():
        assert registry.models[name].__name__


def test_looking_at_names_imports_no_model() -> None:
    code = "import sys, taciturn.registry as r; r.models.names(); print('taciturn.models' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

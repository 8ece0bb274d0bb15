"""Array programs in FUN, compiled when the program runs, as functions over NumPy arrays."""

import builtins as _builtins
import ctypes as _c
import html as _html
import os as _os
import types as _types

from . import _native
from ._native import CompileError

__all__ = ["CompileError", "Error", "OutOfMemory", "Program", "compile", "compile_file"]


class Error(RuntimeError):
    """What ended a call: a text with the line of the source where it stopped."""


class OutOfMemory(Error, MemoryError):
    """A call needs more memory than there is, or than `configure` allows."""


_process = _c.CDLL(None)


class _Library:
    """The functions of a program in memory, as `ctypes.CDLL` has those of a file. Each of them keeps the program."""

    def __init__(self, program):
        self._program = program

    def __getattr__(self, name):
        address = self._program.address(name)
        if address is None:
            raise AttributeError(name)
        function = _process._FuncPtr(address)
        function._program = self._program
        setattr(self, name, function)
        return function


class Program(_types.ModuleType):
    """A compiled program: a function for each entry point, a class for each record and sum, and `configure`, `usage` and `reset_peak`."""

    def explain(self, entry: str = "main") -> str:
        """Where the memory of an entry point goes: its peak as a formula, allocations, and copies that remain."""
        return self._native.explain(entry)

    def _rows(self):
        for name, declared in self._native.entries().items():
            yield name, declared, self._native.explain(name)

    def __repr__(self):
        entries = [f"  {name}: {declared}" for name, declared in self._native.entries().items()]
        return "\n".join([f"<FUN program {self.__name__}>", *entries])

    def _repr_html_(self):
        rows = []
        for name, declared, memory in self._rows():
            first, _, rest = memory.partition("\n")[2].partition("\n")
            cells = [f"<code>{_html.escape(text)}</code>" for text in (name, declared)]
            cells.append(f"<details><summary>{_html.escape(first)}</summary><pre>{_html.escape(rest.strip())}</pre></details>")
            rows.append("<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells) + "</tr>")
        head = "".join(f'<th style="text-align:left">{text}</th>' for text in ("entry point", "type", "memory"))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _namespace(program):
    """What the declarations of a module find, but for annotations of types."""
    import itertools
    import operator
    import typing

    import numpy
    import numpy.typing

    free = _process.free
    free.argtypes, free.restype = [_c.c_void_p], None
    return {
        "_c": _c, "_itertools": itertools, "_operator": operator, "_os": _os, "_t": typing, "_np": numpy, "_npt": numpy.typing,
        "Error": Error, "OutOfMemory": OutOfMemory, "_lib": _Library(program), "_free_text": free,
    }


def compile(source: str, *, name: str = "<source>", directory: str | _os.PathLike[str] | None = None) -> Program:
    """The program of a source text. `name` is what messages call it; imports are relative to `directory`, and there are none without it."""
    if not isinstance(source, str):
        raise TypeError(f"the source of a program is a str, not {type(source).__name__}")
    native = _native.compile(source, name, None if directory is None else _os.fspath(directory))
    made = Program(name, "A program in FUN.")
    space = made.__dict__
    space.update(_namespace(native), _native=native)
    declarations = "from __future__ import annotations\n" + native.python()
    exec(_builtins.compile(declarations, f"<functions of {name}>", "exec"), space)
    native.own(space["_ctx"].value, space["_config"])
    return made


def compile_file(path: str | _os.PathLike[str]) -> Program:
    """The program of a source file, with what it imports."""
    path = _os.fspath(path)
    with open(path, encoding="utf-8") as file:
        return compile(file.read(), name=path, directory=_os.path.dirname(path))

"""Compiles CUDA C with NVRTC, which needs no GPU: warnings and errors, and what the kernels use of the device.

usage: compile.py LIBRARY ARCHITECTURES FILE...     (libnvrtc's path; 80,90)
Writes a line for each kernel and architecture to standard output: program kernel architecture registers stack spilled shared
(bytes but for registers; spilled counts stores and loads). What the compiler says goes to standard error; the exit status is 1 if it said
anything."""

import ctypes
import pathlib
import re
import sys


def check(code, what):
    if code != 0:
        sys.exit(f"{what} fails with NVRTC's error {code}")


def compiled(nvrtc, text, name, architecture):
    """The status and what the compiler says of a text."""
    program, length = ctypes.c_void_p(), ctypes.c_size_t()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, name.encode(), 0, None, None), "making a program")
    # as `backends/c/runtime/cuda.c` has them, and what the assembler tells
    options = [f"--gpu-architecture=sm_{architecture}", "--std=c++17", "--fmad=false", "--ptxas-options=-v"]
    options = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    status = nvrtc.nvrtcCompileProgram(program, len(options), options)
    check(nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(length)), "asking for the log")
    log = ctypes.create_string_buffer(length.value)
    check(nvrtc.nvrtcGetProgramLog(program, log), "asking for the log")
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return status, log.value.decode()


KERNEL = re.compile(r"ptxas info\s*: Compiling entry function '(\w+)'")
STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"ptxas info\s*: Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")


def rows(log):
    """The kernels of a log with what they use, and the lines that are no such information."""
    found, said, kernel, stack = [], [], None, (0, 0, 0)
    for line in log.splitlines():
        if match := KERNEL.match(line):
            kernel = match[1]
        elif match := STACK.search(line):
            stack = tuple(map(int, match.groups()))
        elif match := USED.match(line):
            shared = SHARED.search(line)
            found.append((kernel, int(match[1]), stack[0], stack[1] + stack[2], int(shared[1]) if shared else 0))
        elif line.strip() and not line.startswith("ptxas info") and "Function properties" not in line:
            said.append(line)
    return found, said


def main(library, architectures, files):
    nvrtc, is_clean = ctypes.CDLL(library), True
    for path in map(pathlib.Path, files):
        for architecture in architectures.split(","):
            status, log = compiled(nvrtc, path.read_bytes(), path.name, architecture)
            found, said = rows(log)
            if status != 0 or said:
                is_clean = False
                print(f"{path.stem} for sm_{architecture}:", *said, sep="\n", file=sys.stderr)
            for kernel, *numbers in sorted(found):
                if not kernel.startswith("fun_copy"):
                    print(path.stem, kernel, f"sm_{architecture}", *numbers)
    sys.exit(0 if is_clean else 1)


main(sys.argv[1], sys.argv[2], sys.argv[3:])

#!/usr/bin/env python3
"""What FUN's servers take for programs on a GPU beside Futhark's: the applications and the memory programs, as a markdown table.

usage: bench/gpu_futhark.py FUN FUTHARK [PROGRAM...]        e.g. bench/gpu_futhark.py target/release/fun futhark applications/lud memory/nw

Both compile each program with `--server`; `mk` makes the arguments of `main` on the device, and what `call` says of its time (the least of four calls, from the call
until the device has done all) is what is compared, so nothing is copied to or from the device meanwhile. Results are compared too: the last column has the largest
difference, relative to the larger of 0.001 and the numbers; of integers, the share that differ. The one before it is Futhark's time as a multiple of FUN's.

BACKEND is cuda (when absent) or opencl. Where there is no Futhark, FUTHARK may be a folder with the C that `futhark cuda --server` made elsewhere (`applications_lud.c`).
CC and CFLAGS say how its C is compiled: with CUDA it needs cuda.h, nvrtc.h and the libraries cuda, nvrtc and cudart. SECONDS is when nothing more begins."""

import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What `mk` of a program is called with.
SIZES = """backprop 4000000 bfast 20000 bfs_filter 1000000 bfs_padded 1000000 binomial 2000 btree 4000000 canny 2048 cfd 400000 components 1000000
  crypt 4000000 cutcp 4000 fft 1024 fluid 512 gaussian 1000 hashcat 1000000 heartwall 200 heston 200 histo 10000 hotspot3d 512 julia 3000 kmeans 500000
  knn 60000 lavamd 10 lbm 1000 life 2000 lud 1000 mandelbrot 2000 mergesort 500000 montecarlo 1000000 mriq 65536 myocyte 2000 nbody 20000 nn 8000000
  pagerank 1000000 particlefilter 100000 pathfinder 1000000 quickhull 2000000 ray 1000 segsort 1000000 series 10000 sgemm 1000 smoothlife 500 sor 2000
  sparsematmult 1000000 spmv 500000 srad 2048 stencil 200 streamcluster 32768 tokens 3000000 tpacf 4000 trinomial 1000 tunnel 2000""".split()
SIZES = dict(zip(SIZES[::2], SIZES[1::2]))
CALLS, PATIENCE = 4, 25
# NumPy's names of the types in the binary format
TYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "bool": "u1"}


class Server:
    """A server, by Futhark's protocol: since tuples are one value (`output`), or before (`outputs`)."""

    def __init__(self, command, quiet):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=quiet, text=True, bufsize=1)
        self.timer = threading.Timer(PATIENCE, self.process.kill)
        self.timer.start()
        self.answer()

    def answer(self):
        lines, failed = [], False
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line == "%%% OK":
                if failed:
                    raise RuntimeError(" ".join(lines))
                return lines
            failed |= line == "%%% FAILURE"
            lines += [line] if line != "%%% FAILURE" else []
        raise RuntimeError(f"no answer within {PATIENCE} s" if not self.timer.is_alive() else "ended: " + " ".join(lines))

    def do(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        return self.answer()

    def outputs(self, entry):
        """How many values an entry point gives, and whether as one tuple."""
        try:
            return len(self.do("outputs", entry)), False  # (Futhark 0.25 ends when asked for `output`)
        except RuntimeError:
            given = self.do("output", entry)[0]
            return (len(self.do("fields", f'"{given}"')), True) if given.startswith("(") else (1, False)

    def call(self, entry, prefix, arguments):
        """Calls an entry point; gives the names of its results, and microseconds."""
        count, is_tuple = self.outputs(entry)
        names = [f"{prefix}{k}" for k in range(count)]
        said = self.do("call", entry, *(["tuple"] if is_tuple else names), *arguments)
        if is_tuple:
            for k, name in enumerate(names):
                self.do("project", name, "tuple", str(k))
            self.do("free", "tuple")
        return names, min(int(line.split()[1]) for line in said if line.startswith("runtime:"))

    def end(self):
        self.timer.cancel()
        self.process.kill()
        self.process.wait()


def measured(command, program, calls):
    """The least microseconds of some calls of a program; the results of the last go to a file."""
    kind, name = program.split("/")
    server = Server(command, subprocess.DEVNULL)
    try:
        arguments = [SIZES[name]] if kind == "applications" else memory_arguments(name)
        data = b"".join(b"b\x02\x00 i64" + struct.pack("<q", int(size)) for size in arguments)
        Path(command[0] + ".sizes").write_bytes(data)
        sizes = [f"size{k}" for k in range(len(arguments))]
        server.do("restore", command[0] + ".sizes", *[word for size in sizes for word in (size, "i64")])
        entry = "main" if kind == "applications" else "bench"
        consumes = any(given.startswith("*") for given in server.do("inputs", entry))
        made, best = sizes, None
        for k in range(calls):
            if kind == "applications" and (k == 0 or consumes):
                if k > 0:
                    server.do("free", *made)
                made, _ = server.call("mk", "in", sizes)
            results, time_taken = server.call(entry, "out", made)
            best = min(best or time_taken, time_taken)
            if k + 1 == calls:
                server.do("store", command[0] + ".out", *results)
            server.do("free", *results)
        return best
    finally:
        server.end()


def memory_arguments(name):
    """What bench/memory/arguments.sh says."""
    script = f". bench/memory/arguments.sh; arguments {name}"
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.replace("i64", "").split()


def values(path):
    """The numbers of a file in the binary format."""
    import numpy

    data, at = path.read_bytes(), 0
    while at < len(data):
        if data[at : at + 1] != b"b":  # Futhark puts line ends between values
            at += 1
            continue
        rank, kind = data[at + 2], numpy.dtype(TYPES[data[at + 3 : at + 7].decode().strip()])
        shape = struct.unpack_from(f"<{rank}q", data, at + 7)
        at += 7 + 8 * rank
        count = int(numpy.prod(shape)) if rank else 1
        yield shape, numpy.frombuffer(data, kind, count, at)
        at += count * kind.itemsize


def difference(one, two):
    import numpy

    worst, (ours, theirs) = 0.0, (list(values(one)), list(values(two)))
    if [shape for shape, _ in ours] != [shape for shape, _ in theirs]:
        return "other shapes"
    for (_, x), (_, y) in zip(ours, theirs):
        if x.size == 0:
            continue
        if x.dtype.kind != "f":
            worst = max(worst, float((x != y).mean()))
            continue
        x, y = x.astype("f8"), y.astype("f8")
        apart = numpy.abs(x - y) / numpy.maximum(1e-3, numpy.maximum(numpy.abs(x), numpy.abs(y)))
        apart = numpy.where((x == y) | (numpy.isnan(x) & numpy.isnan(y)), 0.0, apart)
        worst = max(worst, float(numpy.nan_to_num(apart, nan=numpy.inf).max()))
    return f"{worst:.0e}"


def main():
    os.chdir(Path(__file__).resolve().parent.parent)
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    fun, futhark, *programs = sys.argv[1:]
    programs = programs or [f"applications/{name}" for name in SIZES] + [f"memory/{path.stem}" for path in sorted(Path("bench/memory").glob("*.fut"))]
    backend, end = os.environ.get("BACKEND", "cuda"), time.time() + float(os.environ.get("SECONDS", "1e9"))
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)

        def ready(steps, command, program):
            """The command, which has run once so that its kernels are compiled, or what is wrong with it."""
            try:
                for step in steps:
                    step() if callable(step) else subprocess.run(step, capture_output=True, text=True, check=True)
                measured(command, program, 1)
                return command, None
            except (subprocess.CalledProcessError, RuntimeError, OSError, KeyError) as error:
                said = getattr(error, "stderr", None) or str(error)
                return None, (said.strip().splitlines() or ["failed"])[0]

        def both(program):
            """The servers of a program."""
            stem = work / program.replace("/", "_")
            text = Path(f"{stem}.c")
            libraries = ["-lcuda", "-lnvrtc", "-lcudart", "-lm"] if backend == "cuda" else ["-lOpenCL", "-lm"]
            compiler = [os.environ.get("CC", "cc"), "-O1", "-w", text, "-o", f"{stem}.futhark", *os.environ.get("CFLAGS", "").split(), *libraries]

            def fit():  # CUDA 13 has a parameter more
                text.write_text(text.read_text().replace("cuCtxCreate(&ctx->cu_ctx, 0, ctx->dev)", "cuCtxCreate(&ctx->cu_ctx, NULL, 0, ctx->dev)"))

            ours = [fun, "compile", "-w", "--server", "--backend", backend, f"bench/{program}.fut", "-o", f"{stem}.fun"]

            def theirs():  # whose compiler may not find CUDA, and leaves the C
                if os.path.isdir(futhark):
                    text.write_bytes((Path(futhark) / text.name).read_bytes())
                    return
                command = [futhark, backend, "--server", "-w", f"bench/{program}.fut", "-o", str(stem)]
                done = subprocess.run(command, capture_output=True, text=True)
                if not text.exists():
                    raise RuntimeError(done.stderr)

            cached = [f"{stem}.futhark", "--cache-file", f"{stem}.cache"]
            return [ready([ours], [f"{stem}.fun"], program), ready([theirs, fit, compiler], cached, program)]

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            servers = list(pool.map(both, programs))
        print("| program | size | FUN, ms | Futhark | Futhark / FUN | difference |\n|---|--:|--:|--:|--:|--:|")
        for program, of_program in zip(programs, servers):
            times, shown = [], []
            for command, problem in of_program:
                try:
                    times += [] if problem else [measured(command, program, CALLS) / 1000]
                    shown.append(problem or f"{times[-1]:.3f}")
                except (RuntimeError, OSError) as error:
                    shown.append(str(error))
            ratio = apart = ""
            if len(times) == 2:
                outs = [Path(command[0] + ".out") for command, _ in of_program]
                ratio, apart = f"{times[1] / max(times[0], 0.001):.2f}", difference(*outs)
            kind, name = program.split("/")
            size = SIZES.get(name, "") if kind == "applications" else " ".join(memory_arguments(name))
            print(f"| {program} | {size} | {' | '.join(shown)} | {ratio} | {apart} |", flush=True)
            if time.time() > end:
                print("(time was up)")
                break


main()

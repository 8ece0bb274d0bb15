"""What the peers in Python have in common: data, the check of the first result, and the protocol of `fun bench --vs`.

A peer is called with a kernel and a folder with KERNEL.in and KERNEL.out, which bench/kernels/truth.c writes. It runs once and ends with an
error unless the result is that in KERNEL.out. Then it does one run for each line on its standard input, and prints the microseconds.
Its threads are as many as OMP_NUM_THREADS says, which must be known before the libraries are loaded: this module comes first.
"""

import os
import sys
import time

threads = int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))
for name in ("OMP", "OPENBLAS", "MKL", "NUMBA", "HL"):
    os.environ[f"{name}_NUM_THREADS"] = str(threads)
os.environ["JAX_PLATFORMS"] = "cpu"
if threads == 1:
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

try:
    import numpy as np
except ImportError:
    sys.exit("skipped: NumPy is not installed")

# As in bench/kernels/reference.c.
SUMS, CELLS = 1e-3, 1e-4
TYPES = {b" f32": np.float32, b" i32": np.int32, b" i64": np.int64}


def values(path):
    """The values of a file in Futhark's binary format."""
    data, at, found = open(path, "rb").read(), 0, []
    while at < len(data):
        rank, kind = data[at + 2], TYPES[data[at + 3 : at + 7]]
        shape = np.frombuffer(data, np.int64, rank, at + 7)
        count = int(np.prod(shape))
        found.append(np.frombuffer(data, kind, count, at + 7 + 8 * rank).reshape(shape).copy()[()])
        at += 7 + 8 * rank + count * kind().nbytes
    return found


def wrong(result, wanted):
    """How a result differs from the wanted one; None where it does not."""
    result = np.asarray(result)
    if result.shape != wanted.shape:
        return f"sizes {result.shape} instead of {wanted.shape}"
    if wanted.dtype != np.float32:
        return None if np.array_equal(result, wanted) else "other integers"
    tolerance = SUMS if wanted.ndim == 0 else CELLS
    apart = np.max(np.abs(result - wanted) / np.maximum(1, np.abs(wanted)))
    return None if apart <= tolerance else f"off by {apart:.2g}"


def serve(kernels):
    """Runs one of these functions; each takes the data and gives what does one run and gives its result."""
    kernel, folder = sys.argv[1:]
    if kernel not in kernels:
        sys.exit(f"skipped: no {kernel}")
    run = kernels[kernel](*values(f"{folder}/{kernel}.in"))
    difference = wrong(run(), values(f"{folder}/{kernel}.out")[0])
    if difference:
        sys.exit(f"wrong: {difference}")
    for _ in sys.stdin:
        start = time.perf_counter()
        run()
        print(f"{(time.perf_counter() - start) * 1e6:.1f}", flush=True)

"""What the peers in Python have in common: data, the check of the first result, and the protocol of `fun bench --vs`.

A peer is called with a kernel and a folder with KERNEL.in and KERNEL.out, which bench/peers.sh makes. It runs once and ends with an
error unless the results are those in KERNEL.out. Then it does one run for each line on its standard input, and prints the microseconds.
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
TYPES = {b"  u8": np.uint8, b" u32": np.uint32, b" i32": np.int32, b" i64": np.int64, b" f32": np.float32, b" f64": np.float64}
# Which share of a result's integers may be others: of mandelbrot's points, some leave the circle in another step for a last bit.
OTHERS = {"mandelbrot": 0.005}
# Of binomial, a probability is a quotient of small differences, whose last bit counts in each of the steps; of fourier, most numbers are small sums
# of what is large. The centres of kmeans are means of a thousand points, of which one or two that are as near to another centre may go there.
TOLERANCES = {"binomial": 1e-3, "fourier": 1e-3, "kmeans": 5e-3}
# Of the memory programs: what hotspot's power adds is 2e-6 of its result, and the last two compute in f64.
TOLERANCES |= {"nn": 1e-5, "hotspot": 1e-6, "lbm": 1e-6, "lud": 1e-6, "locvolcalib": 1e-6, "option_pricing": 1e-6}


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


def wrong(kernel, result, wanted):
    """How a result differs from the wanted one; None where it does not."""
    result = np.asarray(result)
    if result.shape != wanted.shape:
        return f"sizes {result.shape} instead of {wanted.shape}"
    if not np.issubdtype(wanted.dtype, np.floating):
        others = np.mean(result != wanted)
        return None if others <= OTHERS.get(kernel, 0) else f"{others:.2%} are other integers"
    tolerance = TOLERANCES.get(kernel, SUMS if wanted.ndim == 0 else CELLS)
    apart = np.max(np.abs(result - wanted) / np.maximum(1, np.abs(wanted)))
    return None if apart <= tolerance else f"off by {apart:.2g}"


def serve(kernels):
    """Runs one of these functions; each takes the data and gives what does one run and gives its result, or a tuple of them."""
    kernel, folder = sys.argv[1:]
    if kernel not in kernels:
        sys.exit(f"skipped: no {kernel}")
    run = kernels[kernel](*values(f"{folder}/{kernel}.in"))
    results, wanted = run(), values(f"{folder}/{kernel}.out")
    results = results if isinstance(results, tuple) else (results,)
    for result, right in zip(results, wanted, strict=True):
        difference = wrong(kernel, result, right)
        if difference:
            sys.exit(f"wrong: {difference}")
    for _ in sys.stdin:
        start = time.perf_counter()
        run()
        print(f"{(time.perf_counter() - start) * 1e6:.1f}", flush=True)

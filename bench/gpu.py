"""The table of bench/gpu.sh: times of kernels on the device, from the lines that FUN_DEVICE_TIMES makes, beside PyTorch's and CuPy's on the same work.

usage: gpu.py FOLDER [PEAK]      (with usual/NAME.times and large/NAME.times for each program; GFLOP/s of the card at most, from gpu_peak.py)"""

import pathlib
import re
import sys

LINE = re.compile(r"kernel (\w+): (\d+) launches, ([\d.]+) us")

# For each program its sizes in the folders `usual` and `large` (bench/gpu.sh), and by these the bytes that must move and the floating-point operations.
# Jacobi's are the steps, too, and those of nw and lu are not larger.
WORK = {
    "dot": ((10_000_000, 100_000_000), lambda n: (8 * n, 2 * n)),
    "exp_sum": ((10_000_000, 100_000_000), lambda n: (4 * n, 3 * n)),
    "matmul": ((1024, 4096), lambda n: (12 * n * n, 2 * n**3)),
    "jacobi": (((1000, 512), (100, 4096)), lambda n: (n[0] * 8 * n[1] ** 2, n[0] * 5 * n[1] ** 2)),
    "scan": ((10_000_000, 100_000_000), lambda n: (8 * n, 0)),
    "blur": ((4096, 16384), lambda n: (8 * n * n, 9 * n * n)),
    "nw": ((2048, None), lambda n: (8 * n * n, 0)),
    "lu": ((1024, None), lambda n: (8 * n * n, 2 / 3 * n**3)),
    "histogram": ((10_000_000, 100_000_000), lambda n: (4 * n, 0)),
    "triad": ((40_000_000, 100_000_000), lambda n: (12 * n, 2 * n)),
    "transpose": ((8192, 16384), lambda n: (8 * n * n, 0)),
}


def size_of(name, which):
    """The size of a program in a folder, None if it is not run there; a copy has that of a vector of the triad."""
    return WORK["triad" if name == "copy" else name][0][which]


def last_run(path):
    """Launches and milliseconds of the kernels of the last run; copies count as kernels."""
    runs, seen = [{}], {}
    for line in path.read_text().splitlines():
        if match := LINE.match(line):
            if match[1] in runs[-1]:
                runs.append({})
            runs[-1][match[1]] = (int(match[2]), float(match[3]) / 1e3)
    seen = runs[-1]
    return sum(count for count, _ in seen.values()), sum(time for _, time in seen.values())


def torch_work(torch):
    """For each program what PyTorch does at a size: a function and its arguments."""
    rand = lambda *shape: torch.rand(*shape, device="cuda")
    ints = lambda n: torch.randint(0, 1024, (n,), device="cuda", dtype=torch.int32)
    box = torch.full((1, 1, 3, 3), 1 / 9, device="cuda")
    return {
        "copy": lambda n: (lambda x, to: to.copy_(x), rand(n), rand(n)),
        "dot": lambda n: (torch.dot, rand(n), rand(n)),
        "exp_sum": lambda n: (lambda a: (a.exp() * 2 + 1).sum(), rand(n)),
        "matmul": lambda n: (torch.matmul, rand(n, n), rand(n, n)),
        "scan": lambda n: (lambda a: torch.cumsum(a, 0, dtype=torch.int32), ints(n)),
        "blur": lambda n: (lambda a: torch.nn.functional.conv2d(a, box), rand(1, 1, n + 2, n + 2)),
        "histogram": lambda n: (lambda a: torch.bincount(a, minlength=1024), ints(n)),
        "triad": lambda n: (lambda x, y, to: torch.add(x, y, alpha=3, out=to), rand(n), rand(n), rand(n)),
        "transpose": lambda n: (lambda a, to: to.copy_(a.t()), rand(n, n), rand(n, n)),
        "lu": lambda n: (lambda a: torch.linalg.lu_factor(a, pivot=False), rand(n, n)),
    }


def cupy_work(cupy):
    """The same for CuPy."""
    rand = lambda *shape: cupy.random.rand(*shape, dtype=cupy.float32)
    ints = lambda n: cupy.random.randint(0, 1024, n, dtype=cupy.int32)
    triad = cupy.ElementwiseKernel("T x, T y", "T z", "z = x + 3 * y", "triad")
    return {
        "dot": lambda n: (cupy.dot, rand(n), rand(n)),
        "exp_sum": lambda n: (lambda a: (cupy.exp(a) * 2 + 1).sum(), rand(n)),
        "matmul": lambda n: (cupy.matmul, rand(n, n), rand(n, n)),
        "scan": lambda n: (lambda a: cupy.cumsum(a, dtype=cupy.int32), ints(n)),
        "histogram": lambda n: (lambda a: cupy.bincount(a, minlength=1024), ints(n)),
        "triad": lambda n: (triad, rand(n), rand(n)),
        "transpose": lambda n: (lambda a: cupy.ascontiguousarray(a.T), rand(n, n)),
    }


def best(run, event, elapsed):
    """Milliseconds of the best of twelve runs, by events."""
    least = float("inf")
    for _ in range(12):
        begin, end = event(), event()
        begin.record()
        run()
        end.record()
        end.synchronize()
        least = min(least, elapsed(begin, end))
    return least


def times(work, which, *how):
    """Of each program that has this size; what does not run is said."""
    found = {}
    for name, prepare in work.items():
        size = size_of(name, which)
        if size is None:
            continue
        try:
            run, *data = prepare(size)
            found[name] = best(lambda: run(*data), *how)
        except (RuntimeError, TypeError, MemoryError) as error:
            print(f"{name} does not run: {str(error).splitlines()[0]}")
    return found


def torch_peer():
    """PyTorch's times by program, as a function of the folder, and what it is; nothing without it."""
    try:
        import torch
    except ImportError:
        return lambda which: {}, "PyTorch is not installed"
    if not torch.cuda.is_available():
        return lambda which: {}, "PyTorch sees no GPU"
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    event = lambda: torch.cuda.Event(enable_timing=True)
    return lambda which: times(torch_work(torch), which, event, lambda begin, end: begin.elapsed_time(end)), f"PyTorch {torch.__version__}"


def cupy_peer():
    """CuPy's, likewise."""
    try:
        import cupy
    except ImportError:
        return lambda which: {}, "CuPy is not installed"
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return lambda which: {}, f"CuPy sees no GPU: {error}"
    return lambda which: times(cupy_work(cupy), which, cupy.cuda.Event, cupy.cuda.get_elapsed_time), f"CuPy {cupy.__version__}"


def table(folder, which, peak, peers):
    """The rows of one folder."""
    beside = [peer(which) for peer in peers]
    length = size_of("copy", which)
    copy = 8 * length / beside[0]["copy"] / 1e6 if "copy" in beside[0] else None
    if copy:
        print(f"Copy of {4 * length / 1e6:.0f} MB on the device: {copy:.0f} GB/s read and written\n")
    print("| program | size | launches | kernels, ms | GB/s | of copy | GFLOP/s | of peak | PyTorch, ms | kernels / PyTorch | CuPy, ms | kernels / CuPy |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, (sizes, of) in WORK.items():
        size, path = sizes[which], folder / f"{name}.times"
        if size is None:
            continue
        moved, operations = of(size)
        launches, ms = last_run(path) if path.exists() else (0, 0)
        if ms == 0:
            print(f"| {name} | {size} | – | not run | | | | | | | | |")
            continue
        rate = moved / ms / 1e6
        share = f"{rate / copy:.2f}" if copy else "–"
        flops = f"{operations / ms / 1e6:.0f}" if operations else "–"
        of_peak = f"{100 * operations / ms / 1e6 / peak:.1f} %" if operations and peak else "–"
        other = " | ".join(f"{of[name]:.3f} | {ms / of[name]:.2f}" if name in of else "– | –" for of in beside)
        print(f"| {name} | {size} | {launches} | {ms:.3f} | {rate:.0f} | {share} | {flops} | {of_peak} | {other} |")


def main(folder, peak):
    (torch, torch_said), (cupy, cupy_said) = torch_peer(), cupy_peer()
    print(f"Beside: {torch_said}; {cupy_said}; the best of 12 runs, by events\n")
    if peak:
        print(f"Fused multiply-adds of f32, nothing else: {peak:.0f} GFLOP/s\n")
    for which, name in enumerate(["usual", "large"]):
        table(folder / name, which, peak, [torch, cupy])
        print()


main(pathlib.Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] else None)

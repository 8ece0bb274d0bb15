"""The table of bench/gpu.sh: times of kernels on the device, from the lines that FUN_DEVICE_TIMES makes, beside PyTorch's and CuPy's on the same work.

usage: gpu.py FOLDER [PEAK]      (with NAME.times for each program; GFLOP/s of the card at most, from gpu_peak.py)"""

import pathlib
import re
import sys

LINE = re.compile(r"kernel (\w+): (\d+) launches, ([\d.]+) us")

# For each program the bytes that must move and the floating-point operations, at the sizes of its stanza.
WORK = {
    "dot": (80e6, 20e6),
    "exp_sum": (40e6, 30e6),
    "matmul": (12.6e6, 2 * 1024**3),
    "jacobi": (1000 * 2 * 512 * 512 * 4, 1000 * 5 * 512 * 512),
    "scan": (80e6, 0),
    "blur": (2 * 4096 * 4096 * 4, 9 * 4096 * 4096),
    "nw": (2 * 2048 * 2048 * 4, 0),
    "lu": (8e6, 2 / 3 * 1024**3),
    "histogram": (40e6, 0),
    "triad": (480e6, 80e6),
    "transpose": (2 * 8192 * 8192 * 4, 0),
}


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


def peers():
    """PyTorch's milliseconds, by program; nothing without it."""
    try:
        import torch
    except ImportError:
        return {}, "PyTorch is not installed"
    if not torch.cuda.is_available():
        return {}, "PyTorch sees no GPU"
    torch.backends.cuda.matmul.allow_tf32 = False
    rand = lambda *shape: torch.rand(*shape, device="cuda")
    a, b, m, n = rand(10_000_000), rand(10_000_000), rand(1024, 1024), rand(1024, 1024)
    x, y, square = rand(40_000_000), rand(40_000_000), rand(8192, 8192)
    ints = torch.randint(0, 1024, (10_000_000,), device="cuda", dtype=torch.int32)
    room, turned = torch.empty_like(x), torch.empty_like(square)
    image = rand(1, 1, 4098, 4098)
    box = torch.full((1, 1, 3, 3), 1 / 9, device="cuda")
    work = {
        "copy": lambda: room.copy_(x),
        "dot": lambda: torch.dot(a, b),
        "exp_sum": lambda: (a.exp() * 2 + 1).sum(),
        "matmul": lambda: m @ n,
        "scan": lambda: torch.cumsum(ints, 0, dtype=torch.int32),
        "blur": lambda: torch.nn.functional.conv2d(image, box),
        "histogram": lambda: torch.bincount(ints, minlength=1024),
        "triad": lambda: torch.add(x, y, alpha=3, out=room),
        "transpose": lambda: turned.copy_(square.t()),
        "lu": lambda: torch.linalg.lu_factor(m, pivot=False),
    }
    times = {}
    for name, run in work.items():
        try:
            best = float("inf")
            for _ in range(12):
                begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                begin.record()
                run()
                end.record()
                end.synchronize()
                best = min(best, begin.elapsed_time(end))
            times[name] = best
        except RuntimeError as error:
            print(f"PyTorch does not run {name}: {error}")
    return times, f"PyTorch {torch.__version__}, the best of 12 runs, by events"


def cupy_peers():
    """CuPy's milliseconds, by program; nothing without it."""
    try:
        import cupy
    except ImportError:
        return {}, "CuPy is not installed"
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return {}, f"CuPy sees no GPU: {error}"
    rand = lambda *shape: cupy.random.rand(*shape, dtype=cupy.float32)
    a, b, m, n = rand(10_000_000), rand(10_000_000), rand(1024, 1024), rand(1024, 1024)
    x, y, square = rand(40_000_000), rand(40_000_000), rand(8192, 8192)
    ints = cupy.random.randint(0, 1024, 10_000_000, dtype=cupy.int32)
    triad = cupy.ElementwiseKernel("T x, T y", "T z", "z = x + 3 * y", "triad")
    work = {
        "dot": lambda: cupy.dot(a, b),
        "exp_sum": lambda: (cupy.exp(a) * 2 + 1).sum(),
        "matmul": lambda: m @ n,
        "scan": lambda: cupy.cumsum(ints, dtype=cupy.int32),
        "histogram": lambda: cupy.bincount(ints, minlength=1024),
        "triad": lambda: triad(x, y),
        "transpose": lambda: cupy.ascontiguousarray(square.T),
    }
    times = {}
    for name, run in work.items():
        best = float("inf")
        for _ in range(12):
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            run()
            end.record()
            end.synchronize()
            best = min(best, cupy.cuda.get_elapsed_time(begin, end))
        times[name] = best
    return times, f"CuPy {cupy.__version__}, the best of 12 runs, by events"


def main(folder, peak):
    times, said = peers()
    cupy_times, cupy_said = cupy_peers()
    print(f"Beside: {said}; {cupy_said}\n")
    if peak:
        print(f"Fused multiply-adds of f32, nothing else: {peak:.0f} GFLOP/s\n")
    copy = 2 * 160e6 / times["copy"] / 1e6 if "copy" in times else None
    if copy:
        print(f"Copy of 160 MB on the device: {copy:.0f} GB/s read and written\n")
    print("| program | launches | kernels, ms | GB/s | of copy | GFLOP/s | of peak | PyTorch, ms | kernels / PyTorch | CuPy, ms | kernels / CuPy |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, (moved, operations) in WORK.items():
        path = folder / f"{name}.times"
        launches, ms = last_run(path) if path.exists() else (0, 0)
        if ms == 0:
            print(f"| {name} | – | not run | | | | | | | | |")
            continue
        rate = moved / ms / 1e6
        share = f"{rate / copy:.2f}" if copy else "–"
        flops = f"{operations / ms / 1e6:.0f}" if operations else "–"
        of_peak = f"{100 * operations / ms / 1e6 / peak:.1f} %" if operations and peak else "–"
        beside = lambda of: f"{of[name]:.3f} | {ms / of[name]:.2f}" if name in of else "– | –"
        print(f"| {name} | {launches} | {ms:.3f} | {rate:.0f} | {share} | {flops} | {of_peak} | {beside(times)} | {beside(cupy_times)} |")


main(pathlib.Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2] else None)

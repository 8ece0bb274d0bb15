"""What the installed package `funarray` does; run with a Python that has it, and NumPy."""

import gc
import pathlib
import threading
import time
import weakref

import funarray as fa
import numpy as np

SOURCE = '''-- | Doubles numbers.
entry twice [n] (xs: [n]f64) : [n]f64 = map (* 2) xs
entry same [n] (xs: [n]f64) : [n]f64 = xs
entry set [n] (xs: *[n]i64) (k: i64) : *[n]i64 = xs with [k] = 7
type point = {x: f32, y: f32}
entry added (p: point) : f32 = p.x + p.y
entry points (n: i64) : [n]point = tabulate n (\\i -> {x = f32.i64 i, y = 1})
entry both [n] (xs: [n]i32) : (i32, [n]i32) = (i32.sum xs, scan (+) 0 xs)
entry bad (x: i32) : i32 = assert (x > 0) x
entry busy (n: i64) : i64 = loop s = 0 for i < n do s ^ (s * 3 + i)
'''


def raises(kind, *parts):
    class Expected:
        def __enter__(self):
            return self

        def __exit__(self, found, error, trace):
            assert found is not None and issubclass(found, kind), f"{found} instead of {kind}"
            missing = [part for part in parts if part not in str(error)]
            assert not missing, f"{missing} not in: {error}"
            self.error = error
            return True

    return Expected()


def test_functions_over_arrays():
    p = fa.compile(SOURCE, name="kernels")
    xs = np.arange(5.0)
    assert (p.twice(xs) == xs * 2).all() and p.twice.__doc__.startswith("Doubles numbers.")
    copied = p.usage().copied
    p.twice(xs)
    assert p.usage().copied == copied
    assert list(p.twice(np.arange(10.0)[::-2])) == [18, 14, 10, 6, 2]
    assert p.usage().copied == copied
    total, sums = p.both(np.array([1, 2, 3], np.int32))
    assert total == 6 and list(sums) == [1, 3, 6]
    point = type(p.points(2)[0])
    assert p.added(point(1, 2)) == 3 and [q.x for q in p.points(3)] == [0, 1, 2]
    given = np.arange(3)
    result = p.set(given, 1)
    assert list(given) == [0, 7, 2] and result.ctypes.data == given.ctypes.data
    # what is only read is not shared with the caller
    again = p.same(xs)
    again[0] = 9
    assert xs[0] == 0


class Exporter:
    """Memory that says where it is, by one protocol alone."""

    def __init__(self, array, protocol):
        self.array = array
        setattr(type(self), protocol, property(lambda self: getattr(self.array, protocol)))


def test_arrays_of_others():
    p = fa.compile(SOURCE)
    xs = np.arange(4.0)
    for protocol in ("__array_interface__", "__dlpack__"):
        kind = type("Kind", (Exporter,), {})
        other = kind(xs, protocol)
        if protocol == "__dlpack__":
            kind.__dlpack_device__ = lambda self: self.array.__dlpack_device__()
        copied = p.usage().copied
        assert list(p.twice(other)) == [0, 2, 4, 6] and p.usage().copied == copied


def test_errors():
    with raises(fa.CompileError, "kernel.fut:2:", "entry main", "^") as outcome:
        fa.compile("-- two lines\nentry main (x: i32) = x + true\n", name="kernel.fut")
    assert isinstance(outcome.error, ValueError) and outcome.error.line == 2 and outcome.error.file == "kernel.fut"
    with raises(fa.CompileError, "import"):
        fa.compile('import "other"\nentry main (x: i32) = x\n')
    with raises(TypeError, "a str, not bytes"):
        fa.compile(b"")
    p = fa.compile(SOURCE, name="kernels")
    with raises(fa.Error, "kernels:9:", "Assertion is false: (x > 0)"):
        p.bad(-1)
    assert p.bad(1) == 1
    with raises(TypeError, "twice: xs must be an array of float64, not of int64"):
        p.twice(np.arange(3))
    with raises(TypeError, "twice: xs must have 1 dimensions, not 2"):
        p.twice(np.ones((2, 2)))
    p.configure(memory_limit=100)
    with raises(fa.OutOfMemory, "more than the limit"):
        p.twice(np.ones(1000))
    assert isinstance(fa.OutOfMemory(), MemoryError)


def test_imports_are_relative_to_the_directory(tmp_path):
    (tmp_path / "other.fut").write_text("def three = 3i32\n")
    main = tmp_path / "main.fut"
    main.write_text('import "other"\nentry main (x: i32) = x + three\n')
    assert fa.compile_file(main).main(4) == 7


def test_display():
    p = fa.compile(SOURCE, name="kernels")
    assert "<FUN program kernels>" in repr(p) and "twice: (xs: [n]f64) -> [n]f64" in repr(p)
    memory = p.explain("twice")
    assert "peak:" in memory and "8*n bytes" in memory
    html = p._repr_html_()
    assert html.startswith("<table>") and "<code>twice</code>" in html and "8*n bytes" in html and "[n]f64" in html
    with raises(fa.CompileError, "no entry point nowhere"):
        p.explain("nowhere")


def test_programs_apart_and_freed():
    one, other = fa.compile("entry main (x: i32) : i32 = assert (x > 1) x"), fa.compile("entry main (x: i32) : i32 = assert (x > 2) (x + 1)")
    assert one.main(3) == 3 and other.main(3) == 4
    with raises(fa.Error, "(x > 1)"):
        one.main(1)
    with raises(fa.Error, "(x > 2)"):
        other.main(1)
    # results outlive the program
    p = fa.compile(SOURCE)
    kept, gone = p.twice(np.ones(3)), weakref.ref(p)
    twice = p.twice
    del p
    gc.collect()
    assert list(kept) == [2, 2, 2] and list(twice(kept)) == [4, 4, 4]
    del kept, twice
    gc.collect()
    assert gone() is None
    before = resident()
    for _ in range(40):
        fa.compile("entry main [n] (xs: [n]f64) = map (+ 1) xs").main(np.ones(100_000))
    gc.collect()
    assert resident() < before + 40_000, (before, resident())


def resident():
    """KiB."""
    status = pathlib.Path("/proc/self/status")
    if not status.exists():
        return 0
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmRSS"))


def test_other_threads_run():
    p = fa.compile(SOURCE)
    n, start = 1, time.perf_counter()
    while time.perf_counter() - start < 0.2:
        n *= 2
        start = time.perf_counter()
        p.busy(n)
    counted, done = 0, threading.Event()

    def work():
        p.busy(4 * n)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    # where the call kept the lock, this thread would have had to wait for its end
    assert counted > 20, counted
    threads = [threading.Thread(target=lambda: [p.twice(np.ones(10)) for _ in range(200)]) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


if __name__ == "__main__":
    import tempfile

    for name, test in list(globals().items()):
        if name.startswith("test_"):
            if "tmp_path" in test.__code__.co_varnames[: test.__code__.co_argcount]:
                with tempfile.TemporaryDirectory() as folder:
                    test(pathlib.Path(folder))
            else:
                test()
            print(f"{name}: right", flush=True)
    print("all right")

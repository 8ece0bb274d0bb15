"""What a call of a Python module costs at best, in microseconds; the folder of the module of program.fut is the argument."""

import sys
import timeit

import numpy as np

sys.path.insert(0, sys.argv[1])
import program as p

xs = np.ones(10)
matrix = xs.reshape(2, 5)
for what, call in [("a number", lambda: p.bad(1)), ("an array", lambda: p.mat(matrix))]:
    print(f"a call from Python with {what}: {min(timeit.repeat(call, number=100, repeat=2000)) / 100 * 1e6:.1f} microseconds")

"""Prices an option of FinPar's benchmark by Monte Carlo with a kernel by FUN: the smallest data set, one share at one date.

`fun compile --lib --python ../monte_carlo.fut -o monte_carlo`; the argument is the folder with the data.
"""

import math
import pathlib
import re
import statistics
import sys

import monte_carlo
import numpy as np

STRIKE = 4000  # what the benchmark's first contract pays above


def numbers(name):
    """All numbers of a file in Futhark's text format, in order."""
    text = re.sub(r"--.*", "", (pathlib.Path(sys.argv[1]) / name).read_text())
    return [float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", text)]


contract, paths, *rest = numbers("small.in")
directions, (correlation, volatility, drift, start, certain, discount), bridge = rest[:30], rest[30:36], rest[36:]
assert contract == 1 and correlation == 1
market = monte_carlo.Market(start=start, spread=volatility * bridge[3], drift=drift, discount=certain * discount)
directions = np.array(directions, np.uint32)
price = monte_carlo.call(market, STRIKE, directions, int(paths))
# the formula for a share at one date; the benchmark's own figure comes of a sum in single precision, which is 0.07 % lower
forward, normal = start * math.exp(drift + market.spread**2 / 2), statistics.NormalDist().cdf
d1 = math.log(forward / STRIKE) / market.spread + market.spread / 2
exact = market.discount * (forward * normal(d1) - STRIKE * normal(d1 - market.spread))
(published,) = numbers("small.out")
assert math.isclose(price, exact, rel_tol=1e-5) and math.isclose(price, published, rel_tol=1e-3), (price, exact, published)
assert monte_carlo.usage().copied == 0
print(f"{int(paths)} paths: {price:.2f}, no bytes copied; the formula: {exact:.2f}, the benchmark: {published:.2f}")

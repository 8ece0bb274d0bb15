"""Prices options and blurs an image with kernels by FUN, on NumPy arrays.

`fun compile --lib --python ../options.fut -o options`, and the same for ../blur.fut.
"""

import math

import blur
import numpy as np
import options


def call_price(spot, strike, years, rate, volatility):
    """The formula once more, with the error function of the standard library."""
    spread = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    normal = lambda x: (1 + math.erf(x / math.sqrt(2))) / 2
    return spot * normal(d1) - strike * math.exp(-rate * years) * normal(d1 - spread)


market = options.Market(rate=0.03, volatility=0.2)
strikes = np.linspace(60.0, 140.0, 81)
years = np.full(81, 0.5)
prices, total = options.portfolio(market, 100.0, strikes, years)
expected = [call_price(100.0, strike, 0.5, 0.03, 0.2) for strike in strikes]
assert np.allclose(prices, expected, rtol=0, atol=1e-4) and math.isclose(total, prices.sum())
assert options.usage().copied == 0
print(f"{len(prices)} options cost {total:.2f}, no bytes copied")

try:
    options.calls(market, 100.0, -strikes, years)
except options.Error as error:
    print("a strike below zero:", str(error).splitlines()[0])

y, x = np.mgrid[0:60, 0:80].astype(np.float32)
image = (0.5 + 0.5 * np.sin(np.hypot(y - 30, x - 40))).astype(np.float32)
blurred = blur.blur(image)
border = np.pad(image.astype(np.float64), 1, mode="edge")
means = sum(border[v : v + 60, u : u + 80] for v in range(3) for u in range(3)) / 9
assert np.allclose(blurred, means, rtol=0, atol=1e-6)
assert np.array_equal(blur.blur(image.T), blurred.T) or np.allclose(blur.blur(image.T), means.T, rtol=0, atol=1e-6)
print(f"blurred; {blur.usage().copied} bytes copied for the transposed image")

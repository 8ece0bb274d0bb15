"""The ten kernels in JAX, compiled by XLA; results are fresh arrays."""

import sys

from common import np, serve

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    sys.exit("skipped: JAX is not installed")


def kernel(function):
    """Compiles a function of the data; a run waits for the result."""

    def prepare(*data):
        data = [jax.device_put(x) for x in data]
        compiled = jax.jit(function)
        return lambda: compiled(*data).block_until_ready()

    return prepare


def jacobi(steps, plate):
    def step(_, p):
        sum = p[1:-1, 1:-1] + p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]
        return p.at[1:-1, 1:-1].set(np.float32(0.2) * sum)

    return jax.lax.fori_loop(0, steps, step, plate)


def blur(image):
    rows = image[:, :-2] + image[:, 1:-1] + image[:, 2:]
    return (rows[:-2] + rows[1:-1] + rows[2:]) * np.float32(1 / 9)


def nw(similar):
    costs = 10 * jnp.arange(len(similar) + 1, dtype=jnp.int32)

    def row(above, at):
        scores, cost = at
        best = jnp.maximum(above[:-1] + scores, above[1:] - 10)
        best = jax.lax.cummax(jnp.concatenate([-cost[None], best]) + costs) - costs
        return best, best

    first = -costs
    rows = jax.lax.scan(row, first, (similar, costs[1:]))[1]
    return jnp.concatenate([first[None], rows])


def lu(a):
    n = len(a)
    places = jnp.arange(n)

    def step(k, a):
        below = places > k
        factors = jnp.where(below, a[:, k] / a[k, k], 0)
        a = a - jnp.outer(factors, jnp.where(below, a[k], 0))
        return a.at[:, k].set(jnp.where(below, factors, a[:, k]))

    return jax.lax.fori_loop(0, n - 1, step, a)


kernels = {
    "dot": lambda a, b: jnp.dot(a, b),
    "exp_sum": lambda a: jnp.sum(2 * jnp.exp(a) + 1),
    "matmul": lambda a, b: jnp.matmul(a, b),
    "jacobi": jacobi,
    "scan": lambda a: jnp.cumsum(a, dtype=a.dtype),
    "blur": blur,
    "nw": nw,
    "lu": lu,
    "histogram": lambda numbers: jnp.bincount(numbers, length=1024),
    "triad": lambda a, b: a + 3 * b,
}
if __name__ == "__main__":
    serve({name: kernel(function) for name, function in kernels.items()})

-- case: run (2i64)
-- "Declaring functions and values": a constant that functions use inside of a map, with sizes that another constant decides, and with a function in it.
def n = i64.sum (iota 5)
def xs = filter (> 2) (iota n)
def ys: []i64 = map (+ 1) xs
def settings = {offsets = xs, step = 3i64, first = \x -> x + xs[0]}

#[noinline]
def f (i: i64) = ys[i] + settings.step + settings.offsets[i] + settings.first i

#[noinline]
def g (i: i64) = copy ys with [i] = f i

def main (i: i64) = (f i, g i, reduce (+) 0 (map f (iota 3)), length xs)
-- ---
-- 19i64
-- [4i64, 5i64, 19i64, 7i64, 8i64, 9i64, 10i64]
-- 48i64
-- 7i64

-- case: run ( 1003i64 )
-- Scans of all integers and operators that run in vectors, beside loops: how many values differ, for numbers of values around those of lanes.
def in_order 'a [n] (op: a -> a -> a) (first: a) (xs: [n]a): [n]a =
  (loop (total, out) = (first, replicate n first) for i < n do
     let total = op total xs[i]
     in (total, out with [i] = total)).1

def differ 'a [n] (ne: a -> a -> bool) (op: a -> a -> a) (neutral: a) (xs: [n]a): i64 =
  i64.sum (map2 (\x y -> i64.bool (ne x y)) (scan op neutral xs) (in_order op neutral xs))

def number (i: i64): i64 = (i * 7919 + 13) % 1009 - 300

def all (n: i64): i64 =
  let xs = tabulate n number
  in differ (!=) (+) 0 (map i8.i64 xs)
     + differ (!=) u8.max 0 (map u8.i64 xs)
     + differ (!=) i16.min i16.highest (map (i16.i64 <-< (+ 1200)) xs)
     + differ (!=) (^) 0 (map u16.i64 xs)
     + differ (!=) (+) 0 (map (i32.i64 <-< (* 9999999)) xs)
     + differ (!=) i32.max i32.lowest (map (\x -> i32.i64 x - 1000) xs)
     + differ (!=) u32.min u32.highest (map u32.i64 xs)
     + differ (!=) (&) u32.highest (map (\x -> u32.i64 x | 0xfff0f) xs)
     + differ (!=) (+) 0 (map (* 99999999999999999) xs)
     + differ (!=) i64.max i64.lowest xs
     + differ (!=) u64.min u64.highest (map u64.i64 xs)
     + differ (!=) (|) 0 (map (\x -> 1u64 << u64.i64 (x % 64)) xs)

entry main (n: i64) =
  let xs = tabulate n (i32.i64 <-< number)
  let differing = loop total = 0 for n in [n, 64, 65, 67, 79, 80, 128, 3] do total + all n
  in (differing, last (scan (+) 0 xs), i32.sum xs)
-- ---
0i64
204345i32
204345i32

-- The part of the prelude that is written in the source language itself.
--
-- Each definition starts a line with `def`; a line that starts with a comment ends the one before. A definition uses
-- built-in functions and others of this file in any order, but never in a circle.

-- Functions as values

-- | Gives a value to a function: `x |> f |> g` is `g (f x)`.
def (|>) '^a '^b (x: a) (f: a -> b): b = f x

-- | Applies a function to all that stands on its right.
def (<|) '^a '^b (f: a -> b) (x: a): b = f x

-- | First the left function, then the right one.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a): c = g (f x)

-- | First the right function, then the left one.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a): c = g (f x)

-- | The value itself.
def id '^a (x: a): a = x

-- | The first value, whatever the second.
def const '^a '^b (x: a) (_: b): a = x

-- | The function with its two parameters in the other order.
def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a): c = f x y

-- | Turns a function of a pair into one of two parameters.
def curry '^a '^b '^c (f: (a, b) -> c) (x: a) (y: b): c = f (x, y)

-- | Turns a function of two parameters into one of a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (pair: (a, b)): c = f pair.0 pair.1

-- | Applies a function to a value this many times.
def iterate 'a (n: i32) (f: a -> a) (x: a): a =
  loop y = x for _i < n do f y

-- | Applies a function until the predicate holds; not at all if it does at first.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a): a =
  loop y = x while !(p y) do f y

-- | Applies a function while the predicate holds; not at all if it does not at first.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a): a =
  loop y = x while p y do f y

-- Several arrays at once

-- | `map`.
def map1 'a [n] 'x (f: a -> x) (as: [n]a): *[n]x = map f as

-- | Maps over two arrays of the same size.
def map2 'a 'b [n] 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b): *[n]x =
  map (\(a, b) -> f a b) (zip as bs)

-- | Maps over three arrays of the same size.
def map3 'a 'b 'c [n] 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c): *[n]x =
  map (\((a, b), c) -> f a b c) (zip (zip as bs) cs)

-- | Maps over four arrays of the same size.
def map4 'a 'b 'c 'd [n] 'x (f: a -> b -> c -> d -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d): *[n]x =
  map (\((a, b), (c, d)) -> f a b c d) (zip (zip as bs) (zip cs ds))

-- | Maps over five arrays of the same size.
def map5 'a 'b 'c 'd 'e [n] 'x
         (f: a -> b -> c -> d -> e -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e): *[n]x =
  map (\((a, b), ((c, d), e)) -> f a b c d e) (zip (zip as bs) (zip (zip cs ds) es))

-- | `zip`.
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b): *[n](a, b) =
  map (\pair -> pair) (zip as bs)

-- | The array of the triples at each index.
def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c): *[n](a, b, c) =
  map3 (\a b c -> (a, b, c)) as bs cs

-- | The array of the quadruples at each index.
def zip4 [n] 'a 'b 'c 'd (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d): *[n](a, b, c, d) =
  map4 (\a b c d -> (a, b, c, d)) as bs cs ds

-- | The array of the quintuples at each index.
def zip5 [n] 'a 'b 'c 'd 'e (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e): *[n](a, b, c, d, e) =
  map5 (\a b c d e -> (a, b, c, d, e)) as bs cs ds es

-- | `unzip`.
def unzip2 [n] 'a 'b (xs: [n](a, b)): ([n]a, [n]b) = unzip xs

-- | The three arrays of the components of triples.
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)): ([n]a, [n]b, [n]c) =
  let (abs, cs) = unzip (map (\(a, b, c) -> ((a, b), c)) xs)
  let (as, bs) = unzip abs
  in (as, bs, cs)

-- | The four arrays of the components of quadruples.
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)): ([n]a, [n]b, [n]c, [n]d) =
  let (abs, cds) = unzip (map (\(a, b, c, d) -> ((a, b), (c, d))) xs)
  let (as, bs) = unzip abs
  let (cs, ds) = unzip cds
  in (as, bs, cs, ds)

-- | The five arrays of the components of quintuples.
def unzip5 [n] 'a 'b 'c 'd 'e (xs: [n](a, b, c, d, e)): ([n]a, [n]b, [n]c, [n]d, [n]e) =
  let (abs, cdes) = unzip (map (\(a, b, c, d, e) -> ((a, b), ((c, d), e))) xs)
  let (as, bs) = unzip abs
  let (cds, es) = unzip cdes
  let (cs, ds) = unzip cds
  in (as, bs, cs, ds, es)

-- Making arrays

-- | The indices of an array.
def indices [n] 't (_: [n]t): *[n]i64 = iota n

-- | An array of one value; its size is what the context needs.
def rep 't [n] (x: t): *[n]t = replicate n x

-- | The array of `f i` for each index.
def tabulate 'a (n: i64) (f: i64 -> a): *[n]a = map f (iota n)

-- | The array of `f i j` for each pair of indices.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a): *[n][m]a =
  map (\i -> map (\j -> f i j) (iota m)) (iota n)

-- | The array of `f i j k` for each triple of indices.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a): *[n][m][o]a =
  map (\i -> map (\j -> map (\k -> f i j k) (iota o)) (iota m)) (iota n)

-- | A copy in row-major order.
def manifest 't (x: t): *t = copy x

-- Parts of arrays

-- | Whether there are no elements.
def null [n] 't (_: [n]t): bool = n == 0

-- | The first element.
def head [n] 't (xs: [n]t): t = xs[0]

-- | The last element.
def last [n] 't (xs: [n]t): t = xs[n - 1]

-- | All but the first element.
def tail [n] 't (xs: [n]t): [n - 1]t = xs[1:] :> [n - 1]t

-- | All but the last element.
def init [n] 't (xs: [n]t): [n - 1]t = xs[0:n - 1] :> [n - 1]t

-- | The first `i` elements.
def take [n] 't (i: i64) (xs: [n]t): [i]t = xs[0:i]

-- | All but the first `i` elements.
def drop [n] 't (i: i64) (xs: [n]t): [n - i]t = xs[i:] :> [n - i]t

-- | The first `n` elements and the rest, where the context says what `n` is.
def split [n] [m] 't (xs: [n + m]t): ([n]t, [m]t) = (xs[0:n], xs[n:n + m] :> [m]t)

-- | The same array with a size that is checked when the program runs.
def sized [m] 't (n: i64) (xs: [m]t): [n]t = xs :> [n]t

-- Shapes

-- | Joins the three outer dimensions.
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t): [n * m * l]t = flatten (flatten xs)

-- | Joins the four outer dimensions.
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t): [n * m * l * k]t = flatten (flatten (flatten xs))

-- | Divides the outer dimension into three.
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t): [n][m][l]t =
  unflatten (unflatten xs :> [n * m][l]t)

-- | Divides the outer dimension into four.
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t): [n][m][l][k]t =
  unflatten (unflatten (unflatten xs :> [n * m * l][k]t) :> [n * m][l][k]t)

-- Folds

-- | A fold from the right, one element after the other.
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b): a =
  foldl (\a b -> f b a) acc (reverse bs)

-- | Whether the predicate holds for all elements.
def all [n] 'a (p: a -> bool) (xs: [n]a): bool = reduce (&&) true (map p xs)

-- | Whether the predicate holds for an element.
def any [n] 'a (p: a -> bool) (xs: [n]a): bool = reduce (||) false (map p xs)

-- | Whether all elements are true.
def and [n] (xs: [n]bool): bool = reduce (&&) true xs

-- | Whether an element is true.
def or [n] (xs: [n]bool): bool = reduce (||) false xs

-- | A scan that leaves out the element itself: the first result is the neutral element.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): *[n]a =
  let sums = scan op ne xs
  in map (\i -> if i == 0 then ne else sums[i - 1]) (iota n)

-- | The elements for which the predicate holds, and the others, each in their order.
def partition [n] 'a (p: a -> bool) (xs: [n]a): ?[k].([k]a, [n - k]a) =
  let [k] (yes: [k]a) = filter p xs
  let no = filter (\x -> !(p x)) xs :> [n - k]a
  in (yes, no)

-- | The elements for which the first predicate holds, then those of the others for which the second does, then the rest.
def partition2 [n] 'a (p: a -> bool) (q: a -> bool) (xs: [n]a): ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let [k] (first: [k]a) = filter p xs
  let [l] (second: [l]a) = filter (\x -> !(p x) && q x) xs
  let rest = filter (\x -> !(p x) && !(q x)) xs :> [n - k - l]a
  in (first, second, rest)

-- | A map whose results have sizes of their own, one after the other: the size of each, whether an element begins one, where
-- each begins, all the elements, and a second result of the function that always has one size.
def flatmap [n] 'a 'b 'c (f: a -> ?[k].([k]b, c)) (as: [n]a): ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  let shape = map (\a -> length (f a).0) as
  let values = map (\a -> (f a).1) as
  let offsets = exscan (+) 0 shape
  let m = reduce (+) 0 shape
  let at = map2 (\size offset -> if size > 0 then offset else -1) shape offsets
  let flags = scatter (replicate m false) at (replicate n true)
  let data: [m]b =
    loop data = intrinsics.scratch m for i < n do
      let (part, _) = f as[i]
      in data with [offsets[i]:offsets[i] + shape[i]] = sized (offsets[i] + shape[i] - offsets[i]) part
  in (shape, flags, offsets, data, values)

-- | `flatmap` without the second result.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a): ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (shape, flags, offsets, data, _) = flatmap (\a -> (f a, ())) as
  in (shape, flags, offsets, data)

-- Writing at indices

-- | `scatter` into an array of one value.
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t): *[k]t = scatter (replicate k x) is vs

-- | `reduce_by_index` into an array of neutral elements.
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (xs: [n]a): *[k]a =
  reduce_by_index (replicate k ne) op ne is xs

-- | `scatter` with pairs of indices; pairs outside the array are ignored.
def scatter_2d 't [k] [n] [l] (dest: *[k][n]t) (is: [l](i64, i64)) (vs: [l]t): *[k][n]t =
  let at = map (\(i, j) -> if 0 <= i && i < k && 0 <= j && j < n then i * n + j else -1) is
  in unflatten (scatter (flatten dest) at vs)

-- | `scatter` with triples of indices; triples outside the array are ignored.
def scatter_3d 't [k] [n] [o] [l] (dest: *[k][n][o]t) (is: [l](i64, i64, i64)) (vs: [l]t): *[k][n][o]t =
  let inside (i: i64, j: i64, h: i64) = 0 <= i && i < k && 0 <= j && j < n && 0 <= h && h < o
  let at = map (\(i, j, h) -> if inside (i, j, h) then (i * n + j) * o + h else -1) is
  in unflatten_3d (scatter (flatten_3d dest) at vs)

-- | `reduce_by_index` with pairs of indices; pairs outside the array are ignored.
def reduce_by_index_2d 'a [k] [n] [m]
                       (dest: *[k][m]a) (op: a -> a -> a) (ne: a) (is: [n](i64, i64)) (xs: [n]a): *[k][m]a =
  let at = map (\(i, j) -> if 0 <= i && i < k && 0 <= j && j < m then i * m + j else -1) is
  in unflatten (reduce_by_index (flatten dest) op ne at xs)

-- | `reduce_by_index` with triples of indices; triples outside the array are ignored.
def reduce_by_index_3d 'a [k] [n] [m] [l]
                       (dest: *[k][m][l]a) (op: a -> a -> a) (ne: a) (is: [n](i64, i64, i64)) (xs: [n]a): *[k][m][l]a =
  let inside (i: i64, j: i64, h: i64) = 0 <= i && i < k && 0 <= j && j < m && 0 <= h && h < l
  let at = map (\(i, j, h) -> if inside (i, j, h) then (i * m + j) * l + h else -1) is
  in unflatten_3d (reduce_by_index (flatten_3d dest) op ne at xs)

-- Debugging

-- | The value itself: a barrier to optimisation in other compilers.
def opaque 't (x: t): t = #[opaque] x

-- | The value itself, which the interpreter prints.
def trace 't (x: t): t = #[trace(trace)] x

-- | The value itself, before which the interpreter waits.
def break 't (x: t): t = #[break] x

-- Short names

-- | `!`, to be passed to functions.
def not (x: bool): bool = !x

-- | `f32.i32`.
def r32 (x: i32): f32 = f32.i32 x

-- | `i32.f32`.
def t32 (x: f32): i32 = i32.f32 x

-- | `f64.i32`.
def r64 (x: i32): f64 = f64.i32 x

-- | `i32.f64`.
def t64 (x: f64): i32 = i32.f64 x

-- | The derivative of `f` at `x` in the direction of `x'`.
def jvp 'a 'b (f: a -> b) (x: a) (x': a): b = (jvp2 f x x').1

-- | How much each part of `x` changes the sum of the results of `f`, each weighted by its part of `y'`.
def vjp 'a 'b (f: a -> b) (x: a) (y': b): a = (vjp2 f x y').1

-- | The value of `f` at `x`, and its derivatives in the directions of `xs'`.
def jmp2 'a 'b [n] (f: a -> b) (x: a) (xs': [n]a): (b, [n]b) = (f x, map (jvp f x) xs')

-- | The value of `f` at `x`, and its sensitivities for the weights `ys'`.
def mjp2 'a 'b [n] (f: a -> b) (x: a) (ys': [n]b): (b, [n]a) = (f x, map (vjp f x) ys')

-- | The derivatives of `f` at `x` in the directions of `xs'`.
def jmp 'a 'b [n] (f: a -> b) (x: a) (xs': [n]a): [n]b = map (jvp f x) xs'

-- | The sensitivities of `f` at `x` for the weights `ys'`.
def mjp 'a 'b [n] (f: a -> b) (x: a) (ys': [n]b): [n]a = map (vjp f x) ys'

-- | `f x`, where `adj` takes what else `f` gives, and the sensitivity of the result, to that of `x`.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (adj: (c, b) -> a) (x: a): b =
  (with_vjp f (\res cotangent -> adj (res.0, cotangent.1)) x).1

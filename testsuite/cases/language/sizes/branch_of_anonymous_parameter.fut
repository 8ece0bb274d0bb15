-- case: run (1i32 [1i32, 2i32, 3i32])
-- "Branches of if return arrays of different sizes": the size of a parameter that is not named is not decided by a branch of another size.
def f (x: i32) (xs: []i32) = if x == 0 then xs else [x, x]
def g (x: i32) (xs: []i32) = match x case 0 -> [x, x] case _ -> xs
def h (x: i32) (xs: []i32) (ys: []i32) = if x == 0 then xs else ys
def main (x: i32) (xs: []i32) =
  let k (ys: []i32) = if x == 0 then [x] else ys
  in (f x xs, f 0 xs, g x xs, h 0 xs [1], k xs)
-- ---
-- [1i32, 1i32]
-- [1i32, 2i32, 3i32]
-- [1i32, 2i32, 3i32]
-- [1i32, 2i32, 3i32]
-- [1i32, 2i32, 3i32]

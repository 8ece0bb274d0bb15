-- case: run main ([6i32, 4i32, 9i32, 3i32, 12i32, 8i32, 10i32, 5i32, 15i32])
-- Scans whose operators call a recursive function, or choose between arrays: no device hands such values from block to block.
def gcd (a: i32) (b: i32): i32 = if b == 0 then a else gcd b (a % b)
entry main (xs: []i32): ([]i32, []i32) =
  let chosen (ys: [4]i32) (zs: [4]i32) = scan (\a b -> let of = if a < b then ys else zs in if a == 0 then b else if b == 0 then a else of[(a + b) & 3]) 0 xs
  in (scan gcd 0 xs, chosen [1, 1, 1, 1] [1, 1, 1, 1])
-- ---
-- [6i32, 2i32, 1i32, 1i32, 1i32, 1i32, 1i32, 1i32, 1i32]
-- [6i32, 1i32, 1i32, 1i32, 1i32, 1i32, 1i32, 1i32, 1i32]

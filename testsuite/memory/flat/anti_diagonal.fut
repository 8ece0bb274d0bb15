-- Blocks of an anti-diagonal in a flat square matrix, each made of the row above it and the column left of it. How many blocks there
-- are comes of a division, so some columns may be left over; that blocks do not meet follows from the strides.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { 1i64 [1, 2, 3, 4, 0, 0, 5, 0, 0] } output { [1i32, 2i32, 3i32, 4i32, 6i32, 9i32, 5i32, 11i32, 20i32] }
-- input { 2i64 [1, 2, 3, 4, 4, 0, 0, 0, 5, 0, 0, 0, 7, 8, 9, 6] }
-- output { [1i32, 2i32, 3i32, 4i32, 4i32, 6i32, 7i32, 0i32, 5i32, 7i32, 8i32, 0i32, 7i32, 8i32, 9i32, 6i32] }
-- structure funmem { Alloc 0 Copy 0 }

def blocks [n] (b: i64) (c: i64) (xs: [n]i32) (offset: i64) (count: i64): [count][b][b]i32 =
  let above = intrinsics.flat_index_2d xs (offset - c) count (b * c - b) b 1
  let left = intrinsics.flat_index_2d xs (offset - 1) count (b * c - b) b c
  in map2 (\above left -> tabulate_2d b b (\y x -> above[x] + left[y])) above left

def main [n] (b: i64) (xs: *[n]i32): *[n]i32 =
  let c = i64.f64 (f64.sqrt (f64.i64 n))
  let q = (c - 1) / b
  let xs =
    loop xs for i < q do
      let at = c + 1 + i * b
      in intrinsics.flat_update_3d xs at (b * c - b) c 1 (blocks b c xs at (i + 1))
  in loop xs for i < q - 1 do
       let at = ((i + 1) * b + 2) * c - b + (q * b - (c - 1))
       in intrinsics.flat_update_3d xs at (b * c - b) c 1 (blocks b c xs at (q - 1 - i))

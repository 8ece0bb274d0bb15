-- The diagonal block of a matrix of blocks is decomposed and put back.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[[[2f32, 1f32], [4f32, 3f32]]]] 0i64 } output { [[[[2.0f32, 1.0f32], [2.0f32, 3.0f32]]]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [m] [b] (a: *[m][m][b][b]f32) (k: i64): [m][m][b][b]f32 =
  let d = loop d = copy a[k, k] for i < b do
            loop d for j in i + 1..<b do d with [j, i] = d[j, i] / d[i, i]
  let a[k, k] = d
  in a

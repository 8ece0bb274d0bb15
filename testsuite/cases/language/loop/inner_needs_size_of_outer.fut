-- case: run ( [[1i32, 2i32], [3i32, 4i32]] 2i64 )
-- The inner loop multiplies by what the outer one changes, which therefore stays square.
def dot [n] (a: [n]i32) (b: [n]i32) = i32.sum (map2 (*) a b)
def main [d] (c: [d][d]i32) (k: i64) =
  loop c for _i < k do
    let v = loop v = replicate d 1 for _j < 2 do map (dot v) c
    in map (map (+ v[0])) c
-- ---
-- [[1463i32, 1464i32], [1465i32, 1466i32]]

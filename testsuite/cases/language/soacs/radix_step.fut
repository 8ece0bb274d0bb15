-- case: run ( [5u32, 2u32, 7u32, 4u32, 1u32] )
def step [n] (xs: [n]u32) (bit: i32) =
  let ones = map (\x -> i64.i32 (u32.get_bit bit x)) xs
  let zeros = map (1 -) ones
  let (is0, is1) = (scan (+) 0 zeros, scan (+) 0 ones)
  let is = map3 (\o a b -> if o == 0 then a - 1 else last is0 + b - 1) ones is0 is1
  in scatter (copy xs) is xs
def main (xs: []u32) = loop xs for i < 3 do step xs i
-- ---
[1u32, 2u32, 4u32, 5u32, 7u32]

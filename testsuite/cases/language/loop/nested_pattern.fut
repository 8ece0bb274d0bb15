-- case: run ( 3i32 )
def main (n: i32) = let (x, (y, {z})) = loop (x, (y, {z})) = (1i32, (true, {z = 2f32})) for i < n do (x + i, (!y, {z = z * 2})) in (x, y, z)
-- ---
4i32
false
16.0f32

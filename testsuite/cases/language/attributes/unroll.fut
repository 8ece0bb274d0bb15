-- case: run ( 3i32 )
def main (x: i32) = #[unroll] loop s = x for i < 4i32 do s * 3 + i
-- ---
261i32

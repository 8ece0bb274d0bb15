-- case: run ()
def main = let s = "hello world" in (reduce_by_index (replicate 256 0i32) (+) 0 (map i64.u8 s) (map (const 1) s))['l']
-- ---
3i32

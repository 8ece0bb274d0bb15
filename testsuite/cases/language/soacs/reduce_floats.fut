-- case: run ( [0.5f32, 1.5f32, 2f32] )
def main (xs: []f32) = (reduce (+) 0 xs, reduce (*) 1 xs, reduce f32.max (-f32.inf) xs)
-- ---
4.0f32
1.5f32
2.0f32

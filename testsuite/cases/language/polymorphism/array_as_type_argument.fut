-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def firsts 'a [n] (xs: [n]a) (k: i64) : [k]a = replicate k xs[0]
def main (xss: [][]i32) = (firsts xss 2, firsts xss[0] 3)
-- ---
[[1i32, 2i32], [1i32, 2i32]]
[1i32, 1i32, 1i32]

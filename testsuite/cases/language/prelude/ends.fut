-- case: run ( [1i32, 2i32, 3i32] [[1i32], [2i32]] )
def main (xs: []i32) (xss: [][]i32) = (head xs, last xs, tail xs, init xs, head xss, last xss, null xs, null (tail [1i32]))
-- ---
1i32
3i32
[2i32, 3i32]
[1i32, 2i32]
[1i32]
[2i32]
false
true

-- case: run ( [3i32, 1i32, 4i32] empty([0]i32) )
def main (xs: []i32) (none: []i32) = (exscan (+) 0 xs, exscan i32.max i32.lowest xs, exscan (+) 0 none)
-- ---
[0i32, 3i32, 4i32]
[-2147483648i32, 3i32, 3i32]
empty([0]i32)

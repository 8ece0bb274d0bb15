-- case: run ( [1i32, 2i32] [[true], [false]] )
def rev [n] 'a (xs: [n]a) : [n]a = xs[::-1]
def main (xs: []i32) (bss: [][]bool) = (rev xs, rev bss, rev (rev xs))
-- ---
[2i32, 1i32]
[[false], [true]]
[1i32, 2i32]
